/** A rule that the menu breaks; the validator turns it into the app's answer. */
export class BrokenRule extends Error {}

export type Json = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names the entity as the app does, whatever kind it is. */
export function fail(what: string, id: string): never {
  throw new BrokenRule(`${what}, related app_item_id is ${id}`);
}

export function objects(value: unknown, what: string, id = ''): readonly Json[] {
  if (!Array.isArray(value)) fail(`${what} is empty`, id);
  const list: readonly unknown[] = value;
  if (!list.every(isJsonObject)) fail(`${what} is invalid`, id);
  return list;
}

export function optionalObjects(value: unknown, what: string, id: string): readonly Json[] {
  return value === undefined || value === null ? [] : objects(value, what, id);
}

export function requiredText(value: unknown, what: string, id: string): string {
  if (value === undefined || value === null || value === '') fail(`${what} is empty`, id);
  if (typeof value !== 'string') fail(`${what} is invalid`, id);
  return value;
}

export function optionalText(value: unknown, what: string, id: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') fail(`${what} is invalid`, id);
  return value;
}

/** Lengths count characters as people do, not UTF-16 units. */
export function notLonger(text: string | undefined, max: number, what: string, id: string): void {
  if (text !== undefined && Array.from(text).length > max) fail(`${what} is too long`, id);
}

export function whole(value: unknown, min: number, what: string, id: string): number {
  if (value === undefined || value === null) fail(`${what} is empty`, id);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min) {
    fail(`${what} is invalid`, id);
  }
  return value;
}

export function optionalWhole(value: unknown, min: number, what: string, id: string): void {
  if (value !== undefined && value !== null) whole(value, min, what, id);
}

export function oneOf(value: unknown, allowed: readonly unknown[], what: string, id: string): void {
  if (value === undefined || value === null) fail(`${what} is empty`, id);
  if (!allowed.includes(value)) fail(`${what} is invalid`, id);
}

/** Ids that must be known and may stand only once in their list. */
export function references(
  value: unknown,
  known: { has(id: string): boolean },
  what: string,
  id: string,
): readonly string[] {
  if (!Array.isArray(value)) fail(`${what} is empty`, id);
  const list: readonly unknown[] = value;
  const seen = new Set<string>();
  for (const reference of list) {
    if (typeof reference !== 'string') fail(`${what} is invalid`, id);
    if (!known.has(reference)) fail(`${what} does not exist: ${reference}`, id);
    if (seen.has(reference)) fail(`${what} is repeated: ${reference}`, id);
    seen.add(reference);
  }
  return [...seen];
}

/** The entities by id, each id once. */
export function byId(list: readonly Json[], key: string): ReadonlyMap<string, Json> {
  const entities = new Map<string, Json>();
  for (const entity of list) {
    const id = requiredText(entity[key], key, '');
    if (entities.has(id)) fail(`${key} is repeated`, id);
    entities.set(id, entity);
  }
  return entities;
}
