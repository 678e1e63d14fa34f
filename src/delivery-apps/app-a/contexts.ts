import type { GroupQuantity, Price, Quantity } from '../../menus/menu';
import type { EntityRef } from '../losses';
import { firstOfEach } from '../menu-index';
import { isSameAmount, type NamedPrices } from '../prices';
import { freeUnitsOf, limitsOf } from '../quantities';
import type { MenuTranslation } from './menu-translation';
import type { WireContext, WireQuantity, WireQuantityOverride } from './wire';

/** A price not yet converted for the wire: that happens, and may fail, with its item. */
export interface PriceContext extends WireContext {
  readonly price: Price;
  /** The entity that names the price. */
  readonly ref: EntityRef;
}

/** What applies to an entity only in some places of the menu, by the entity's POS id. */
export interface Contexts {
  readonly itemPrices: ReadonlyMap<string, readonly PriceContext[]>;
  readonly itemQuantities: ReadonlyMap<string, readonly WireQuantityOverride[]>;
  readonly groupQuantities: ReadonlyMap<string, readonly WireQuantityOverride[]>;
}

/**
 * Turns the prices and quantities that we store with a reference (data item, option, group of an item) into
 * overrides, which App A stores with the referenced entity. The first of repeated references wins, so each context
 * occurs once. `menuPrices` are those of the document's menus.
 */
export function collectContexts(
  translation: MenuTranslation,
  menuPrices: readonly NamedPrices[],
): Contexts {
  const itemPrices = new Map<string, PriceContext[]>();
  const itemQuantities = new Map<string, WireQuantityOverride[]>();
  const groupQuantities = new Map<string, WireQuantityOverride[]>();
  addMenuPrices(translation, menuPrices, itemPrices);
  addOptions(translation, itemPrices, itemQuantities);
  addGroupQuantities(translation, groupQuantities);
  return { itemPrices, itemQuantities, groupQuantities };
}

function addMenuPrices(
  { document, index }: MenuTranslation,
  menuPrices: readonly NamedPrices[],
  prices: Map<string, PriceContext[]>,
): void {
  document.menus.forEach((menu, position) => {
    for (const [id, { price, ref }] of menuPrices[position] ?? []) {
      const item = index.items.get(id);
      // Promotion prices are not compared, because this app does not get them.
      if (!item || isSameAmount(price, item.entity.price)) continue;
      append(prices, id, { context_type: 'MENU', context_value: menu.identifier, price, ref });
    }
  });
}

function addOptions(
  { index, used }: MenuTranslation,
  prices: Map<string, PriceContext[]>,
  quantities: Map<string, WireQuantityOverride[]>,
): void {
  const pricedByMenu = new Set(prices.keys());
  for (const [groupId, { entity: group, ref }] of index.groups) {
    if (!used.groups.has(groupId)) continue;
    const context = { context_type: 'MODIFIER_GROUP', context_value: groupId } as const;
    for (const option of firstOfEach(group.data_options, (one) => one.item_external_id)) {
      const id = option.item_external_id;
      const item = index.items.get(id);
      if (!item) continue;
      // An option without its own price costs what the item costs. This must be explicit if the item has another
      // price in a menu, because the app would use that one for the option too.
      if (option.price) append(prices, id, { ...context, price: option.price, ref });
      else if (pricedByMenu.has(id)) {
        append(prices, id, { ...context, price: item.entity.price, ref: item.ref });
      }
      if (option.quantity) {
        append(quantities, id, { ...context, quantity: toWireQuantity(option.quantity) });
      }
    }
  }
}

function addGroupQuantities(
  { index, used }: MenuTranslation,
  quantities: Map<string, WireQuantityOverride[]>,
): void {
  for (const [itemId, { entity: item }] of index.items) {
    if (!used.items.has(itemId)) continue;
    const references = firstOfEach(
      item.data_modifier_groups,
      (one) => one.modifier_group_external_id,
    );
    for (const { modifier_group_external_id: groupId, quantity } of references) {
      if (!quantity) continue;
      append(quantities, groupId, {
        context_type: 'ITEM',
        context_value: itemId,
        quantity: toWireGroupQuantity(quantity),
      });
    }
  }
}

/** Sent unchanged, never clamped: with limits other than the POS's, orders fail in the POS. */
function toWireQuantity(quantity: Quantity): WireQuantity {
  const { min, max } = limitsOf(quantity);
  return { min_permitted: min, max_permitted: max };
}

/** With the units of a group that are free. */
export function toWireGroupQuantity(quantity: GroupQuantity): WireQuantity {
  const free = freeUnitsOf(quantity);
  return {
    ...toWireQuantity(quantity),
    ...(free > 0 && { charge_above: free, refund_under: 0 }),
  };
}

function append<T>(lists: Map<string, T[]>, id: string, member: T): void {
  const list = lists.get(id);
  if (list) list.push(member);
  else lists.set(id, [member]);
}
