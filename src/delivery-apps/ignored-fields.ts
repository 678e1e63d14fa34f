import type { NamedPrices } from './prices';
import { limitsOf } from './quantities';
import type { LossBook } from './losses';
import { firstOfEach, type MenuIndex } from './menu-index';
import type { DataOption, ModifierGroup } from '../menus/menu';
import { soldItems, type UsedEntities } from './unused-entities';

/**
 * Reports the promotions that an app without promotions does not show, each at the entity that carries it: the category
 * of a data item, the group of an option, or the item itself. A promotion next to a price that the menu replaces was
 * never visible, so it does not count. `prices` are those that each menu names.
 */
export function reportPromotions(
  index: MenuIndex,
  used: UsedEntities,
  prices: readonly NamedPrices[],
  losses: LossBook,
): void {
  reportNamedPromotions(prices, losses);
  const sold = soldItems(index, used);
  for (const [id, { entity, ref }] of index.items) {
    if (!entity.price.promotion_value || !used.items.has(id)) continue;
    const isReplaced = sold.has(id) && prices.every((ofMenu) => ofMenu.has(id));
    if (!isReplaced) losses.add('promotion_price_ignored', ref);
  }
  reportOptionPromotions(index, used, losses);
}

/** One `promotion_price_ignored` per category with a promotion for an item, where a menu uses its price. */
export function reportNamedPromotions(prices: readonly NamedPrices[], losses: LossBook): void {
  for (const ofMenu of prices) {
    for (const { price, ref } of ofMenu.values()) {
      if (price.promotion_value) losses.add('promotion_price_ignored', ref);
    }
  }
}

/** One `promotion_price_ignored` per used item with a promotion, for an app that always has an item's own price. */
export function reportOwnPromotions(index: MenuIndex, used: UsedEntities, losses: LossBook): void {
  for (const [id, { entity, ref }] of index.items) {
    if (entity.price.promotion_value && used.items.has(id)) {
      losses.add('promotion_price_ignored', ref);
    }
  }
}

/**
 * One `promotion_price_ignored` per promotion of an option: at the group if the option has a price, otherwise at the
 * item.
 */
export function reportOptionPromotions(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  for (const [id, { entity, ref }] of index.groups) {
    if (!used.groups.has(id)) continue;
    for (const { item_external_id: itemId, price } of optionsOf(entity)) {
      if (price?.promotion_value) losses.add('promotion_price_ignored', ref);
      const item = price ? undefined : index.items.get(itemId);
      if (item?.entity.price.promotion_value) losses.add('promotion_price_ignored', item.ref);
    }
  }
}

/** One `option_quantity_ignored` per used modifier group whose options have quantities. */
export function reportOptionQuantities(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
): void {
  reportLimitedOptions(index, used, losses, ({ quantity }) => Boolean(quantity));
}

/** The same for an app that has a maximum per option but no minimum: a minimum of 0 loses nothing. */
export function reportOptionMinimums(index: MenuIndex, used: UsedEntities, losses: LossBook): void {
  reportLimitedOptions(index, used, losses, ({ quantity }) =>
    Boolean(quantity && limitsOf(quantity).min > 0),
  );
}

function reportLimitedOptions(
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
  isIgnored: (option: DataOption) => boolean,
): void {
  for (const [id, { entity, ref }] of index.groups) {
    if (!used.groups.has(id)) continue;
    if (optionsOf(entity).some(isIgnored)) losses.add('option_quantity_ignored', ref);
  }
}

/** Of repeated options only the first counts. */
function optionsOf({ data_options: options }: ModifierGroup): readonly DataOption[] {
  return firstOfEach(options, (option) => option.item_external_id);
}
