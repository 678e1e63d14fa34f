import type { Menu, MenuDocument, Price } from '../domain/menu';
import type { LossBook } from './losses';
import type { MenuIndex } from './menu-index';

/** The integer that a digit string says. 12 digits at most arrive here, far below 2^53. */
export function digitsToInteger(digits: string): number {
  // The API has refused anything else; a float that slipped through would be a wrong price in a shop.
  if (!/^\d{1,12}$/.test(digits)) throw new RangeError('A number must be 1 to 12 decimal digits.');
  return Number(digits);
}

/**
 * A price in the lowest denomination of a currency with `exponent` decimals: "1030" is 1030 with two, and
 * "1200000" is 12000 without. null when the currency has no coin for it ("1250" without decimals).
 */
export function toLowestDenomination(value: string, exponent: 0 | 2): number | null {
  const hundredths = digitsToInteger(value);
  if (exponent === 2) return hundredths;
  return hundredths % 100 === 0 ? hundredths / 100 : null;
}

/** A price as decimal text with two places: "1030" is "10.30", "5" is "0.05". No float in between. */
export function toDecimalText(value: string): string {
  const digits = String(digitsToInteger(value)).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Whether two prices mean the same, promotion included; "0100" is "100", and null is none. */
export function isSamePrice(one: Price, other: Price): boolean {
  return isSameNumber(one.value, other.value) && isSamePromotion(one, other);
}

function isSamePromotion(one: Price, other: Price): boolean {
  const { promotion_value: a } = one;
  const { promotion_value: b } = other;
  if (typeof a !== 'string' || typeof b !== 'string') return (a ?? null) === (b ?? null);
  return isSameNumber(a, b);
}

function isSameNumber(one: string, other: string): boolean {
  return digitsToInteger(one) === digitsToInteger(other);
}

export interface PriceInMenu {
  readonly price: Price;
  /** Another reference in the same menu names another price, which is dropped. */
  readonly conflicting: boolean;
}

/**
 * What each item costs in one menu: the first data item price found there (category order, then item order),
 * else the item's own. Regular and promotion price replace together. Items that the menu does not list are absent.
 */
export function pricesInMenu(menu: Menu, index: MenuIndex): ReadonlyMap<string, PriceInMenu> {
  const overrides = new Map<string, PriceInMenu>();
  const listed = new Set<string>();
  for (const categoryId of menu.category_external_ids) {
    for (const reference of index.categories.get(categoryId)?.entity.data_items ?? []) {
      const id = reference.item_external_id;
      listed.add(id);
      if (!reference.price) continue;
      const first = overrides.get(id);
      if (!first) overrides.set(id, { price: reference.price, conflicting: false });
      else if (!isSamePrice(first.price, reference.price))
        overrides.set(id, { ...first, conflicting: true });
    }
  }
  const prices = new Map<string, PriceInMenu>();
  for (const id of listed) {
    const item = index.items.get(id);
    if (!item) continue;
    prices.set(id, overrides.get(id) ?? { price: item.entity.price, conflicting: false });
  }
  return prices;
}

/** One `item_price_conflict_in_menu` per item, naming the first menu in which it happens. */
export function reportPriceConflicts(
  document: MenuDocument,
  index: MenuIndex,
  losses: LossBook,
): void {
  for (const menu of document.menus) {
    for (const [id, { conflicting }] of pricesInMenu(menu, index)) {
      const item = index.items.get(id);
      if (conflicting && item)
        losses.add('item_price_conflict_in_menu', item.ref, `menu ${menu.identifier}`);
    }
  }
}
