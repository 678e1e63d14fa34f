/**
 * App D's menu on the wire (Rappi menu API v2), only the fields that we write. It has no hours and no promotions; a
 * menu is a list of products, each with all of its toppings.
 */
export interface WirePayload {
  /** The store's id in the app. */
  readonly storeId: string;
  readonly items: readonly WireProduct[];
}

/** One product in one category; a product in two categories occurs twice. */
export interface WireProduct extends WireEntry {
  readonly type: 'PRODUCT';
  /** It is made of other items. */
  readonly combo?: true;
  readonly children: readonly WireTopping[];
}

/** One option of one group. A topping has no children, because the app has two levels. */
export interface WireTopping extends WireEntry {
  readonly type: 'TOPPING';
  /** How many of it one product may have. */
  readonly maxLimit: number;
}

interface WireEntry extends WireTexts {
  /** The POS id, or our own id for a copy. Everything with the same SKU looks the same everywhere. */
  readonly sku: string;
  /** In the unit of `APP_D_PRICE_UNIT`. */
  readonly price: number;
  /** From 0, within the category or group. */
  readonly sortingPosition: number;
  readonly category: WireCategory;
}

/** The texts of an item, wherever it occurs. */
export interface WireTexts {
  readonly name: string;
  /** Required; empty when the item has none. */
  readonly description: string;
  readonly imageUrl?: string;
}

/** For a product its category, for a topping its modifier group. */
export interface WireCategory {
  readonly id: string;
  readonly name: string;
  readonly minQty: number;
  readonly maxQty: number;
  /** From 0, within the menu or the product. */
  readonly sortingPosition: number;
}
