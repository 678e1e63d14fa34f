/**
 * App D's menu as it goes over the wire (Rappi menu API v2), only the fields that we write. There are no hours and no
 * promotions; a menu is a list of products, each with all of its toppings.
 */
export interface WirePayload {
  /** The store's id in the app. */
  readonly storeId: string;
  readonly items: readonly WireProduct[];
}

/** One product in one category: in two categories it stands twice. */
export interface WireProduct extends WireEntry {
  readonly type: 'PRODUCT';
  readonly children: readonly WireTopping[];
}

/** One option of one group. A topping has no children: the app takes two levels. */
export interface WireTopping extends WireEntry {
  readonly type: 'TOPPING';
  /** How many of it one product may have. */
  readonly maxLimit: number;
}

interface WireEntry extends WireTexts {
  /** The POS id; of a copy an id of ours. Whatever has the same SKU looks the same everywhere. */
  readonly sku: string;
  /** In the unit of `APP_D_PRICE_UNIT`. */
  readonly price: number;
  /** From 0, in the category or group. */
  readonly sortingPosition: number;
  readonly category: WireCategory;
}

/** What an item looks like wherever it stands. */
export interface WireTexts {
  readonly name: string;
  /** Required; empty when the item has none. */
  readonly description: string;
  readonly imageUrl?: string;
}

/** Of a product the category that it is shown in, of a topping its modifier group. */
export interface WireCategory {
  readonly id: string;
  readonly name: string;
  readonly minQty: number;
  readonly maxQty: number;
  /** From 0, in the menu or in the product. */
  readonly sortingPosition: number;
}
