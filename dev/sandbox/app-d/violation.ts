/** Every rule of App D, named as it names them. */
export const RULES = [
  'invalid_item_depth',
  'item_data_conflict',
  'duplicated_categories_complies',
  'duplicated_items_complies',
  'item_relation_complies',
  'item_relation_without_cyclic_complies',
  'minimum_items_complies',
  'image_url_complies',
  'text_format_complies',
  'text_fields_length_complies',
  'positive_numbers_complies',
  'zero_price_complies',
  'min_permitted_complies',
  'max_item_childs_complies',
  'max_items_category_complies',
  'max_permitted_in_items_complies',
  /** A field that is missing, of another type, or not known; the app has no name for these. */
  'fields',
] as const;
export type Rule = (typeof RULES)[number];

/** One broken rule, and the SKUs from the product down to what breaks it; empty for the menu itself. */
export interface Violation {
  readonly rule: Rule;
  readonly skus: readonly string[];
  readonly message: string;
}

export type Report = (rule: Rule, skus: readonly string[], message: string) => void;
