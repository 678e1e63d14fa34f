import type { DetailName, ItemDetails } from '../details';
import type { Price } from '../menu';

/** What a caller wants of single items, checked; each id once. An absent member is left as it is. */
export interface WantedChanges {
  readonly items: readonly WantedItemChange[];
  readonly options: readonly WantedOptionPrice[];
}

/** Null clears what is optional. */
export interface WantedItemChange {
  readonly external_id: string;
  readonly name?: string;
  readonly description?: string | null;
  readonly image_url?: string | null;
  /** In place of the item's, its promotion too. */
  readonly price?: Price;
  /** The prices in some menus; null: in none is it another than the item's. */
  readonly prices_by_menu?: readonly WantedMenuPrice[] | null;
  /** Each member in place of the item's. */
  readonly details?: { readonly [Name in DetailName]?: ItemDetails[Name] } | null;
}

export interface WantedMenuPrice {
  readonly identifier: string;
  /** Null: the item's own. */
  readonly price: Price | null;
}

export interface WantedOptionPrice {
  readonly modifier_group_external_id: string;
  readonly item_external_id: string;
  /** Null: the item's own. */
  readonly price: Price | null;
}

/** The members of an item that may be changed. */
export const CHANGED_MEMBERS = [
  'name',
  'description',
  'image_url',
  'price',
  'prices_by_menu',
  'details',
] as const satisfies readonly (keyof WantedItemChange)[];
