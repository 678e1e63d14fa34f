import type { Item, Quantity } from '../menus/menu';
import { quoteValue } from '../platform/text/quote-value';
import type { LossBook } from './losses';
import { firstOfEach, type Indexed, type MenuIndex } from './menu-index';
import { nameSome } from './name-some';
import { limitsOf } from './quantities';
import { offeredItems, type UsedEntities } from './unused-entities';

/**
 * For an app whose options have no groups: one `nested_groups_dropped` per used item that is an option and has groups,
 * which are named, and one `required_choice_dropped` per group of these that must be answered where it stands.
 */
export function reportDroppedGroups(index: MenuIndex, used: UsedEntities, losses: LossBook): void {
  const options = offeredItems(index, used);
  for (const [id, { entity, ref }] of index.items) {
    if (!options.has(id)) continue;
    const groups = groupsOf(entity, index);
    if (groups.length === 0) continue;
    const names = groups.map(({ ref: { externalId } }) => quoteValue(externalId));
    losses.add('nested_groups_dropped', ref, nameSome(names));
    for (const group of groups) {
      if (limitsOf(group.quantity).min > 0) losses.add('required_choice_dropped', group.ref);
    }
  }
}

/** The groups of an item, each once, with the limits that hold there. */
function groupsOf(
  item: Item,
  { groups }: MenuIndex,
): readonly (Pick<Indexed<unknown>, 'ref'> & { readonly quantity: Quantity })[] {
  const references = firstOfEach(
    item.data_modifier_groups,
    (reference) => reference.modifier_group_external_id,
  );
  return references.flatMap(({ modifier_group_external_id: id, quantity }) => {
    const group = groups.get(id);
    return group ? [{ ref: group.ref, quantity: quantity ?? group.entity.quantity }] : [];
  });
}
