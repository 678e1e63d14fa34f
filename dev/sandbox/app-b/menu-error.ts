/** Everything that App B finds wrong with a menu. */
export const MENU_ERROR_CODES = [
  'invalid_json',
  'missing_field',
  'wrong_type',
  'unknown_field',
  'duplicate_id',
  'unknown_reference',
  'orphan_item',
  'invalid_price',
  'invalid_quantity',
  'no_shifts',
  'invalid_time',
  'window_order',
  'windows_overlap',
  'weekdays_not_all',
  'text_too_long',
  'invalid_image_url',
] as const;
type MenuErrorCode = (typeof MENU_ERROR_CODES)[number];

export interface MenuError {
  readonly code: MenuErrorCode;
  /** JSON pointer into the uploaded document. */
  readonly path: string;
  readonly message: string;
}

export type Report = (code: MenuErrorCode, path: string, message: string) => void;
