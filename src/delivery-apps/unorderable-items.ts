import type { Shown, ShownGroup, ShownLimits } from './shown';
import type { DeliveryApp, ShownContext } from './types';

/** What is off sale, by POS id. */
export interface OffSale {
  /** All items that are off sale. */
  readonly off: readonly string[];
  /** For each change, those of them that it took off. */
  readonly offByChange: readonly (readonly string[])[];
  /** The payload's ids of each item by POS id, as JSON. */
  readonly itemIds: string;
}

/**
 * For each change, POS ids of the items on sale, in the payload's order, that cannot be ordered as a group of theirs
 * demands more than its options on sale allow; only for groups that lost one by the change. At most `most` of them.
 */
export function unorderableItems(
  app: Pick<DeliveryApp, 'readShown'>,
  context: ShownContext,
  payload: Buffer,
  { off, offByChange, itemIds }: OffSale,
  most: number,
): readonly (readonly string[])[] {
  const shown = app.readShown(JSON.parse(payload.toString('utf8')), context);
  const wireIds = new Map(Object.entries(JSON.parse(itemIds) as Record<string, string[]>));
  const wireIdsOf = (ids: readonly string[]) =>
    new Set(ids.flatMap((id) => wireIds.get(id) ?? [id]));
  const posIds = new Map(
    [...wireIds].flatMap(([id, copies]) => copies.map((copy) => [copy, id] as const)),
  );
  const allOff = wireIdsOf(off);
  return offByChange.map((nowOff) => {
    const found = findUnorderable(shown, allOff, wireIdsOf(nowOff));
    return [...new Set(found.map((id) => posIds.get(id) ?? id))].slice(0, most);
  });
}

function findUnorderable(
  { items, modifier_groups: groups }: Shown,
  off: ReadonlySet<string>,
  nowOff: ReadonlySet<string>,
): readonly string[] {
  const lost = new Map(
    groups
      .filter((group) => group.options.some((option) => nowOff.has(option.external_id)))
      .map((group) => [group.external_id, group]),
  );
  return items
    .filter((item) => !off.has(item.external_id))
    .filter((item) => item.modifier_groups.some((limits) => isUnanswerable(limits, lost, off)))
    .map((item) => item.external_id);
}

function isUnanswerable(
  { external_id: id, min }: ShownLimits,
  lost: ReadonlyMap<string, ShownGroup>,
  off: ReadonlySet<string>,
): boolean {
  const group = lost.get(id);
  return group !== undefined && min > mostOnSale(group, min, off);
}

/**
 * How much of a group a guest may take of what is on sale. An option without a maximum counts once, unless the group
 * demands more than it has options: then each may be taken several times.
 */
function mostOnSale({ options }: ShownGroup, min: number, off: ReadonlySet<string>): number {
  const ofEach = options.length < min ? min : 1;
  let most = 0;
  for (const { external_id: id, max } of options) if (!off.has(id)) most += max ?? ofEach;
  return most;
}
