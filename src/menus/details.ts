export const ALLERGENS = [
  'celery',
  'crustaceans',
  'eggs',
  'fish',
  'gluten',
  'lupin',
  'milk',
  'molluscs',
  'mustard',
  'peanuts',
  'sesame',
  'soy',
  'sulphites',
  'tree_nuts',
] as const;

export const DIETS = [
  'vegan',
  'vegetarian',
  'gluten_free',
  'halal',
  'kosher',
  'dairy_free',
  'nut_free',
] as const;

/** What is known of an item beside its name, price and choices. Numbers are digit strings; null is absent. */
export interface ItemDetails {
  /** Rates have two implied decimals: "1600" is 16 %. Included in the price unless it says otherwise. */
  readonly tax?: {
    readonly rate: string;
    readonly included?: boolean | null;
    readonly excise_rate?: string | null;
  } | null;
  readonly tax_labels?: readonly string[] | null;
  /** `by_volume` has two implied decimals; units "0" state that there is none. */
  readonly alcohol?: { readonly units: string; readonly by_volume?: string | null } | null;
  /** It counts as a meal where alcohol needs one. */
  readonly serves_alone?: boolean | null;
  /** Of `ALLERGENS`. */
  readonly allergens?: readonly string[] | null;
  /** Of `DIETS`. */
  readonly diets?: readonly string[] | null;
  readonly calories?: { readonly from?: string | null; readonly to?: string | null } | null;
  readonly barcode?: string | null;
  readonly bundled_items?: readonly BundledItem[] | null;
  readonly deposit?: { readonly value: string } | null;
}

export interface BundledItem {
  readonly item_external_id: string;
  readonly quantity: string;
}

export const DETAIL_NAMES = [
  'tax',
  'tax_labels',
  'alcohol',
  'serves_alone',
  'allergens',
  'diets',
  'calories',
  'barcode',
  'bundled_items',
  'deposit',
] as const satisfies readonly (keyof ItemDetails)[];

export type DetailName = (typeof DETAIL_NAMES)[number];

/** Whether a code has the length of a GTIN and its check digit, the last. */
export function isBarcode(code: string): boolean {
  if (!/^(?:\d{8}|\d{12,14})$/.test(code)) return false;
  let sum = 0;
  // Counted from the end, every second digit weighs three.
  for (let at = 0; at < code.length; at++) {
    sum += Number(code[at]) * ((code.length - at) % 2 === 0 ? 3 : 1);
  }
  return sum % 10 === 0;
}
