/** App D's published limits on one menu; it refuses the whole menu above them. */
export const LIMITS = {
  /** Of products in a category, and of toppings in a group. */
  itemsPerCategory: 50,
  /** Toppings of a product, over all of its groups. */
  children: 50,
  /** Of SKUs. What ids of categories and groups may have is not published: the same. */
  idLength: 500,
} as const;

/** Longest texts, in code points; no name may be empty. */
export const TEXT_LENGTHS = { name: 1_000, description: 2_000 } as const;

export const TOKEN_PATH = '/restaurants/auth/v1/token/login/integrations';

const API = '/api/v2/restaurants-integrations-public-api';
/** Where menus are put and read; the store stands in the payload. */
export const MENU_PATH = `${API}/menu`;
/** Where items are switched, and stores paused. */
export const ITEMS_PATH = `${API}/availability/stores/items`;
export const STORES_PATH = `${API}/availability/stores/enable`;

/** What the app says of a store that is paused, or not any more. */
export const STORE_RESULTS = {
  good: new Set(['SUCCESS', 'STORE_ALREADY_IN_STATUS']),
  refused: new Set(['SUSPENDED', 'FORBIDDEN', 'STORE_NOT_PUBLISHED']),
} as const;

/** Where a store's last menu is asked after. */
export function approvalPath(storeId: string): string {
  return `${MENU_PATH}/approved/${encodeURIComponent(storeId)}`;
}

/** The app gives tokens on a host of its own. A base URL that is not listed serves both paths itself. */
const TOKEN_BASE_URLS: Readonly<Record<string, string>> = {
  'https://services.mxgrability.rappi.com': 'https://api.rappi.com.mx',
};

export function tokenBaseUrl(baseUrl: string): string {
  return TOKEN_BASE_URLS[baseUrl] ?? baseUrl;
}

/** How often a menu is sent again when a system behind the app fails; then the app has refused it. */
export const MOST_RETRIES = 3;

/** All menus of all stores come in one answer; a longer one proves nothing. */
export const MAX_LIVE_MENUS_BYTES = 16 * 1_048_576;

/** Validations of the app as it names them, some with the suffix `_complies`. */
export const VALIDATIONS: ReadonlySet<string> = new Set([
  'invalid_item_depth',
  'item_data_conflict',
  'duplicated_categories',
  'duplicated_items',
  'item_relation',
  'item_relation_without_cyclic',
  'minimum_items',
  'image_url',
  'text_format',
  'text_fields_length',
  'positive_numbers',
  'zero_price',
  'min_permitted',
  'max_item_childs',
  'max_items_category',
  'max_item_images',
  'max_permitted_in_items',
]);
