/** An entity that two payloads have with another content. */
export interface Differing<T> {
  readonly before: T;
  readonly after: T;
}

/**
 * The entities of two lists whose content differs; undefined if the lists have not the same ids in the same order. Made
 * for payloads of one transform, whose members have one order.
 */
export function differingEntities<T extends object>(
  before: readonly T[],
  after: readonly T[],
  idOf: (entity: T) => string,
): readonly Differing<T>[] | undefined {
  if (before.length !== after.length) return undefined;
  const differing: Differing<T>[] = [];
  for (const [index, entity] of after.entries()) {
    const old = before[index];
    if (old === undefined || idOf(old) !== idOf(entity)) return undefined;
    if (!areSame(old, entity)) differing.push({ before: old, after: entity });
  }
  return differing;
}

/** The members that differ, those included that only one has. */
export function differingMembers<T extends object>({
  before,
  after,
}: Differing<T>): readonly (keyof T)[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof T>;
  return [...names].filter((name) => !areSame(before[name], after[name]));
}

/** Whether the later object lacks a member that the earlier one has. */
export function losesMember(before: object | undefined, after: object | undefined): boolean {
  return Object.keys(before ?? {}).some((name) => !Object.hasOwn(after ?? {}, name));
}

export function areSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
