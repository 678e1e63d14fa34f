import { type JsonText, nastyJson, nastyText } from './nasty-values';
import type { Random } from './random';
import { edgeJson } from './schema-values';

/** A valid body except for its mutations; `properties` are the fields in its schema. */
export function mutatedBody(
  random: Random,
  example: object,
  properties: Readonly<Record<string, object>>,
): Buffer {
  const members = new Map<string, JsonText>(
    Object.entries(example).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  const changes = random.once(5) ? 0 : 1 + random.below(3);
  for (let n = 0; n < changes; n += 1) changeMember(random, members, properties);
  const extra = random.once(10) ? [[nastyText(random), nastyJson(random)] as const] : [];
  const pairs = [...members, ...extra, ...(random.once(20) ? [...members] : [])];
  const text = `{${pairs.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
  return damaged(random, Buffer.from(text));
}

function changeMember(
  random: Random,
  members: Map<string, JsonText>,
  properties: Readonly<Record<string, object>>,
): void {
  const names = [...new Set([...Object.keys(properties), ...members.keys()])];
  if (names.length === 0) return;
  const name = random.pick(names);
  const json = members.get(name);
  switch (random.below(5)) {
    case 0:
      members.delete(name);
      return;
    case 1:
    case 2:
      members.set(name, edgeJson(random, properties[name] ?? {}));
      return;
    default:
      // Somewhere inside of it, which for a menu is where most of the rules are.
      members.set(name, json === undefined ? nastyJson(random) : changedInside(random, json));
  }
}

/** A placeholder for a value that `JSON.stringify` could not write. */
const HOLE = '@hole@';

/** The same value with one of its parts, at any depth, taken away, doubled or replaced. */
function changedInside(random: Random, json: JsonText): JsonText {
  const holed = withHole(random, JSON.parse(json) as unknown);
  return JSON.stringify(holed).replaceAll(JSON.stringify(HOLE), () => nastyJson(random));
}

function withHole(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.once(6)) return HOLE;
  if (Array.isArray(value)) {
    if (value.length === 0) return [HOLE];
    const index = random.below(value.length);
    if (random.once(6)) return value.toSpliced(index, 1);
    if (random.once(6)) return [...value, value[index]];
    return value.with(index, withHole(random, value[index]));
  }
  const names = Object.keys(value);
  if (names.length === 0) return { a: HOLE };
  const name = random.pick(names);
  const entries = Object.entries(value);
  if (random.once(6)) return Object.fromEntries(entries.filter(([each]) => each !== name));
  return Object.fromEntries(
    entries.map(([each, part]) => [each, each === name ? withHole(random, part) : part]),
  );
}

/** In one of ten cases its bytes are changed. */
function damaged(random: Random, bytes: Buffer): Buffer {
  if (!random.once(10)) return bytes;
  const at = random.below(bytes.length + 1);
  switch (random.below(5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), random.bytes(3), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 3:
      return random.bytes(random.below(200));
    default:
      return Buffer.concat([bytes, bytes]);
  }
}
