import { DATES, nastyJson, type JsonText, nastyText } from './nasty-values';
import type { Random } from './random';

/** The parts of a schema that are used; everything else is left to the service. */
interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** A value at one of the edges of a field's schema, on either side of it. */
export function edgeJson(random: Random, schema: object): JsonText {
  const field: FieldSchema = schema;
  const edges: JsonText[] = [];
  for (const each of field.enum ?? []) edges.push(JSON.stringify(each), JSON.stringify([each]));
  for (const bound of [field.minimum, field.maximum]) {
    if (bound === undefined) continue;
    for (const near of [bound - 1, bound, bound + 1, bound + 0.5]) {
      edges.push(String(near), `"${near}"`);
    }
  }
  if (field.format === 'iso-date' || field.format === 'instant')
    edges.push(...DATES.map((each) => JSON.stringify(each)));
  const { maxLength, maxItems } = field;
  if (maxLength !== undefined) {
    edges.push(`"${'x'.repeat(maxLength)}"`, `"${'x'.repeat(maxLength + 1)}"`, '""');
    edges.push(`"${'🍕'.repeat(maxLength)}"`);
  }
  if (maxItems !== undefined) {
    for (const count of [0, 1, maxItems, maxItems + 1]) edges.push(listOf(count));
  }
  if (edges.length === 0 || random.once(3)) return nastyJson(random);
  return random.pick(edges);
}

function listOf(count: number): JsonText {
  return `[${Array.from({ length: Math.min(count, 11_000) }, () => '{}').join()}]`;
}

/** The same for a query, where everything is text. */
export function edgeText(random: Random, schema: object): string {
  const json = edgeJson(random, schema);
  return json.startsWith('"') ? String(safeParse(json)) : random.once(2) ? json : nastyText(random);
}

function safeParse(json: JsonText): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
