import type { LossBook } from './losses';
import type { MenuIndex } from './menu-index';
import type { UsedEntities } from './unused-entities';

/** One `promotion_price_ignored` per used item with a promotion, and per used category that has one for an item. */
export function reportItemPromotions(index: MenuIndex, used: UsedEntities, losses: LossBook): void {
  for (const [id, { entity, ref }] of index.categories) {
    const promoted = entity.data_items.some(({ price }) => price?.promotion_value);
    if (promoted && used.categories.has(id)) losses.add('promotion_price_ignored', ref);
  }
  for (const [id, { entity, ref }] of index.items) {
    if (entity.price.promotion_value && used.items.has(id)) {
      losses.add('promotion_price_ignored', ref);
    }
  }
}

/** One `promotion_price_ignored` per used modifier group with a promotion on an option. */
export function reportOptionPromotions(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of index.groups) {
    const promoted = entity.data_options.some((option) => option.price?.promotion_value);
    if (promoted && used.groups.has(id)) losses.add('promotion_price_ignored', ref);
  }
}

/** One `option_quantity_ignored` per used modifier group whose options have quantities. */
export function reportOptionQuantities(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of index.groups) {
    const limited = entity.data_options.some((option) => option.quantity);
    if (limited && used.groups.has(id)) losses.add('option_quantity_ignored', ref);
  }
}
