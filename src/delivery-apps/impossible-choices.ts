import type { ModifierGroup } from '../menus/menu';
import type { LossBook } from './losses';
import { firstOfEach, type MenuIndex } from './menu-index';
import { limitsOf } from './quantities';

/**
 * One `choice_impossible` per group that demands more, at one of its places, than all of its options together allow:
 * nobody can order that item. For apps that know the maximum of an option. One without a maximum of its own may be taken
 * as often as the group allows, in App A for want of a limit and in App D by the one that we write, so it always
 * suffices. `places` are the POS ids of the items where the app asks for their groups.
 */
export function reportImpossibleChoices(
  index: MenuIndex,
  places: ReadonlySet<string>,
  losses: LossBook,
): void {
  const most = new Map<string, number>();
  for (const [itemId, { entity: item }] of index.items) {
    if (!places.has(itemId)) continue;
    const references = firstOfEach(
      item.data_modifier_groups,
      (one) => one.modifier_group_external_id,
    );
    for (const { modifier_group_external_id: id, quantity } of references) {
      const group = index.groups.get(id);
      if (!group) continue;
      const allowed = most.get(id) ?? mostOf(group.entity, index);
      most.set(id, allowed);
      const { min } = limitsOf(quantity ?? group.entity.quantity);
      if (min > allowed) losses.add('choice_impossible', group.ref);
    }
  }
}

/** How much of a group a guest may take by the maxima of its options; of repeated ones the first counts. */
function mostOf({ data_options: options }: ModifierGroup, { items }: MenuIndex): number {
  let most = 0;
  for (const option of firstOfEach(options, (one) => one.item_external_id)) {
    if (!items.has(option.item_external_id)) continue;
    if (!option.quantity) return Number.POSITIVE_INFINITY;
    most += limitsOf(option.quantity).max;
  }
  return most;
}
