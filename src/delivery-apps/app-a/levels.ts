import type { LossBook } from '../losses';
import type { MenuIndex } from '../menu-index';
import { soldItems, type UsedEntities } from '../unused-entities';
import { MOST_LEVELS } from './rules';

/** One `limit_exceeded` for each sold item with more levels of modifier groups below it than the app takes. */
export function reportDeepItems(index: MenuIndex, used: UsedEntities, losses: LossBook): void {
  const deep = itemsWithLevels(index, MOST_LEVELS + 1);
  if (deep.size === 0) return;
  const sold = soldItems(index, used);
  for (const [id, { ref }] of index.items) {
    if (!sold.has(id) || !deep.has(id)) continue;
    const detail = `more than ${MOST_LEVELS} levels of modifier groups`;
    losses.add('limit_exceeded', ref, detail);
  }
}

/** POS ids of the items with at least so many levels of groups: one pass over the menu for each level. */
function itemsWithLevels({ items, groups }: MenuIndex, levels: number): ReadonlySet<string> {
  let deep: ReadonlySet<string> = new Set(items.keys());
  for (let level = 1; level <= levels && deep.size > 0; level += 1) {
    const reached = deep;
    const offering = new Set(
      [...groups].flatMap(([id, { entity }]) =>
        entity.data_options.some((option) => reached.has(option.item_external_id)) ? [id] : [],
      ),
    );
    deep = new Set(
      [...items].flatMap(([id, { entity }]) =>
        entity.data_modifier_groups.some((one) => offering.has(one.modifier_group_external_id))
          ? [id]
          : [],
      ),
    );
  }
  return deep;
}
