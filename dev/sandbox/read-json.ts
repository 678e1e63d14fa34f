/** Bodies and menus as the simulators read them; nothing of the adapters, which they judge. */

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined: it is no JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The JSON object of a body; undefined if it is anything else. */
export function parseObject(body: Buffer): Fields | undefined {
  const value = parseJson(body);
  return isFields(value) ? value : undefined;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
