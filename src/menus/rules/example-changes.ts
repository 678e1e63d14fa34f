import type { Change } from './rule';

/**
 * A copy of `document` with the changes applied in order; undefined if a path does not exist. `pick` chooses the
 * entry for `*` in a path, by default the first.
 */
export function applyChanges(
  document: unknown,
  changes: readonly Change[],
  pick: (length: number) => number = () => 0,
): unknown {
  const changed: unknown = structuredClone(document);
  return changes.every((change) => applyChange(changed, change, pick)) ? changed : undefined;
}

function applyChange(document: unknown, change: Change, pick: (length: number) => number): boolean {
  const target = locate(document, change.path, pick);
  if (target === undefined) return false;
  if (change.op === 'remove') return Reflect.deleteProperty(target.parent, target.key);
  const value = change.op === 'put' ? change.value : read(locate(document, change.from, pick));
  return value !== undefined && Reflect.set(target.parent, target.key, structuredClone(value));
}

interface Place {
  readonly parent: object;
  readonly key: string;
}

function read(place: Place | undefined): unknown {
  return place && Reflect.get(place.parent, place.key);
}

function locate(
  document: unknown,
  path: string,
  pick: (length: number) => number,
): Place | undefined {
  const segments = path.split('/').slice(1);
  const last = segments.pop();
  let parent = document;
  for (const segment of segments) {
    if (!isContainer(parent)) return undefined;
    parent = Reflect.get(parent, keyOf(parent, segment, pick, -1));
  }
  if (last === undefined || !isContainer(parent)) return undefined;
  return { parent, key: keyOf(parent, last, pick, 0) };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `-` is the entry after the last one (`shift` 0), or the last one (`shift` -1) on the way to something in it. */
function keyOf(
  parent: object,
  segment: string,
  pick: (length: number) => number,
  shift: 0 | -1,
): string {
  if (!Array.isArray(parent)) return segment;
  if (segment === '-') return String(parent.length + shift);
  return segment === '*' ? String(pick(parent.length)) : segment;
}
