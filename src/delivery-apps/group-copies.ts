import type { Quantity } from '../menus/menu';
import type { LossBook } from './losses';
import { firstOfEach, type MenuIndex, type OfferedGroup } from './menu-index';
import { isSameQuantity } from './quantities';
import type { UsedEntities } from './unused-entities';
import { copyId } from './copy-id';

/** A modifier group for an app without limits per item: the POS's own, or a copy with the limits of one item. */
export interface PlannedGroup {
  readonly id: string;
  readonly group: OfferedGroup;
  readonly quantity: Quantity;
  readonly isCopy: boolean;
}

export interface GroupPlan {
  /** In document order, copies after their original; an original to which only copies would refer is absent. */
  readonly groups: readonly PlannedGroup[];
  /** The app's group ids of each used item, by POS id. */
  readonly idsOfItem: ReadonlyMap<string, readonly string[]>;
}

/**
 * Apps C and D have no limits per item: an item whose limits differ from its group's gets a copy of the group, with
 * the id `{group}~{item}`. Limits equal to the group's need no copy; those of a part of a group (split-groups.ts) are
 * other ones. The groups of `plainOptions` are left out;
 * `longestId` is the app's limit in characters.
 */
export function planGroups(
  index: MenuIndex,
  used: UsedEntities,
  plainOptions: ReadonlySet<string>,
  losses: LossBook,
  longestId: number,
): GroupPlan {
  const takenIds = new Set(index.groups.keys());
  const originals = new Set<string>();
  const copies = new Map<string, PlannedGroup[]>();
  const idsOfItem = new Map<string, readonly string[]>();
  for (const [itemId, { entity: item }] of index.items) {
    if (!used.items.has(itemId) || plainOptions.has(itemId)) continue;
    const ids: string[] = [];
    for (const reference of firstOfEach(item.data_modifier_groups, groupIdOf)) {
      const indexed = index.groups.get(groupIdOf(reference));
      if (!indexed) continue;
      const { entity: group, ref } = indexed;
      const { quantity } = reference;
      if (!quantity || (!group.part && isSameQuantity(quantity, group.quantity))) {
        originals.add(group.external_id);
        ids.push(group.external_id);
        continue;
      }
      const id = copyId(partsOfId(group, itemId), takenIds, longestId);
      takenIds.add(id);
      const ofGroup = copies.get(group.external_id) ?? [];
      ofGroup.push({ id, group, quantity, isCopy: true });
      copies.set(group.external_id, ofGroup);
      ids.push(id);
      losses.add('group_quantity_cloned', ref);
    }
    idsOfItem.set(itemId, ids);
  }
  const groups = [...index.groups].flatMap(([id, { entity: group }]) => [
    ...(originals.has(id) ? [{ id, group, quantity: group.quantity, isCopy: false }] : []),
    ...(copies.get(id) ?? []),
  ]);
  return { groups, idsOfItem };
}

/** Of the free part of a group, its id follows that of the copy. */
function partsOfId({ external_id: id, part }: OfferedGroup, itemId: string): readonly string[] {
  return [part?.of ?? id, itemId, ...(part?.kind === 'free' ? ['free'] : [])];
}

function groupIdOf(reference: { readonly modifier_group_external_id: string }): string {
  return reference.modifier_group_external_id;
}
