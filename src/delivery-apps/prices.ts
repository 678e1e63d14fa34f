import { amountOf, type Category, type Menu, type Price } from '../menus/menu';
import { quoteValue } from '../platform/text/quote-value';
import type { CurrencyExponent } from '../platform/validation/currencies';
import type { EntityRef, LossBook } from './losses';
import type { Indexed, MenuIndex } from './menu-index';

/** The integer of a digit string of at most 12 digits, which is far below 2^53; zeros before them do not count. */
export function digitsToInteger(digits: string): number {
  // The API has refused anything else; a float that slipped through would be a wrong price in a shop.
  if (!/^0*\d{1,12}$/.test(digits))
    throw new RangeError('A number must be 1 to 12 decimal digits.');
  return Number(digits);
}

/** Whether something costs 0, by its mark or by its digits. */
export function isFree(price: Price): boolean {
  return digitsToInteger(amountOf(price)) === 0;
}

/**
 * Whether the store's currency has a coin for a price; if not, a blocking loss of `ref`, which names the price. Every
 * app asks this of each price that it sends, whatever its unit: 39.90 Chilean pesos do not exist in any of them, and
 * whoever sent them forgot two zeros.
 */
export function hasCoin(
  losses: LossBook,
  ref: EntityRef,
  value: string,
  { currencyExponent }: { readonly currencyExponent: CurrencyExponent },
): boolean {
  if (toLowestDenomination(value, currencyExponent) !== null) return true;
  losses.add('price_not_representable', ref);
  return false;
}

/**
 * A price in the lowest denomination of a currency with `exponent` decimals: "1030" is 1030 with two decimals, 10300
 * with three, and "1200000" is 12000 without decimals. null if the currency has no coin for it ("1250" without).
 */
export function toLowestDenomination(value: string, exponent: CurrencyExponent): number | null {
  const hundredths = digitsToInteger(value);
  switch (exponent) {
    case 0:
      return hundredths % 100 === 0 ? hundredths / 100 : null;
    case 2:
      return hundredths;
    case 3:
      return hundredths * 10;
  }
}

/** The way back: how many hundredths one unit of the lowest denomination is. */
export function hundredthsInLowest(exponent: CurrencyExponent): number {
  switch (exponent) {
    case 0:
      return 100;
    case 2:
      return 1;
    case 3:
      return 0.1;
  }
}

/** A price as decimal text with two places: "1030" is "10.30", "5" is "0.05". Without floats. */
export function toDecimalText(value: string): string {
  const digits = String(digitsToInteger(value)).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Whether two prices are equal, including the promotion; "0100" equals "100", and null and "" equal none. */
export function isSamePrice(one: Price, other: Price): boolean {
  return isSameAmount(one, other) && isSamePromotion(one, other);
}

/** Whether two prices are equal, promotions aside. */
export function isSameAmount(one: Price, other: Price): boolean {
  return isSameNumber(amountOf(one), amountOf(other));
}

function isSamePromotion(one: Price, other: Price): boolean {
  const { promotion_value: a } = one;
  const { promotion_value: b } = other;
  return a && b ? isSameNumber(a, b) : !a && !b;
}

function isSameNumber(one: string, other: string): boolean {
  return digitsToInteger(one) === digitsToInteger(other);
}

/** The price that a menu names for an item, replacing the item's own. */
export interface NamedPrice {
  readonly price: Price;
  /** The category that names it, where problems with the price are reported. */
  readonly ref: EntityRef;
  /** Another reference in the same menu names another price, which is dropped. */
  readonly conflicting: boolean;
}

/** By item, as named in one menu or one category; items without such a price are absent. */
export type NamedPrices = ReadonlyMap<string, NamedPrice>;

/**
 * For each menu, the prices that its data items name. The first found counts (category order, then item order), and
 * it replaces both regular and promotion price. An absent item has its own price in this menu.
 * Each category is read once, however often menus refer to it: 20 menus that name one category 100 times each caused
 * 2,000 readings, and 3.5 KB of gzip kept a process busy for 18 s. A menu then only joins its different categories,
 * which is as much work as the app's own overrides per menu and item.
 */
export function namedPrices(
  menus: readonly Menu[],
  { categories }: MenuIndex,
): readonly NamedPrices[] {
  const ofCategory = new Map<string, NamedPrices>();
  const read = (id: string): NamedPrices => {
    const known = ofCategory.get(id);
    if (known) return known;
    const prices = pricesOfCategory(categories.get(id));
    ofCategory.set(id, prices);
    return prices;
  };
  return menus.map((menu) => joinPrices([...new Set(menu.category_external_ids)].map(read)));
}

function pricesOfCategory(category: Indexed<Category> | undefined): NamedPrices {
  const prices = new Map<string, NamedPrice>();
  if (!category) return prices;
  const { entity, ref } = category;
  for (const { item_external_id: id, price } of entity.data_items) {
    if (price) enter(prices, id, { price, ref, conflicting: false });
  }
  return prices;
}

function joinPrices(categories: readonly NamedPrices[]): NamedPrices {
  const [only, ...others] = categories;
  if (only && others.length === 0) return only;
  const prices = new Map<string, NamedPrice>();
  for (const category of categories) {
    for (const [id, named] of category) enter(prices, id, named);
  }
  return prices;
}

function enter(prices: Map<string, NamedPrice>, id: string, named: NamedPrice): void {
  const first = prices.get(id);
  if (!first) prices.set(id, named);
  else if (!first.conflicting && (named.conflicting || !isSamePrice(first.price, named.price))) {
    prices.set(id, { ...first, conflicting: true });
  }
}

/**
 * One `item_price_conflict_in_menu` per item, naming the first menu with a conflict; `prices` come from
 * `namedPrices`.
 */
export function reportPriceConflicts(
  menus: readonly Menu[],
  prices: readonly NamedPrices[],
  index: MenuIndex,
  losses: LossBook,
): void {
  menus.forEach((menu, position) => {
    for (const [id, { conflicting }] of prices[position] ?? []) {
      const item = conflicting ? index.items.get(id) : undefined;
      if (item)
        losses.add('item_price_conflict_in_menu', item.ref, `menu ${quoteValue(menu.identifier)}`);
    }
  });
}
