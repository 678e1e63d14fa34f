/** App D's published limits for one menu; it refuses the whole menu above them. */
export const LIMITS = {
  /** For products in a category, and toppings in a group. */
  itemsPerCategory: 50,
  /** Toppings of a product, over all of its groups. */
  children: 50,
  /** For SKUs. The limit for ids of categories and groups is not published; we use the same. */
  idLength: 500,
} as const;

/** Longest texts, in code points; names must not be empty. */
export const TEXT_LENGTHS = { name: 1_000, description: 2_000 } as const;

export const TOKEN_PATH = '/restaurants/auth/v1/token/login/integrations';
/** Where a token of the app's utilities is made, which take no other. */
export const UTILITIES_TOKEN_PATH = '/restaurants/auth/v1/token/login/utils';

const API = '/api/v2/restaurants-integrations-public-api';
/** The path where menus are written and read; the store is in the payload. */
export const MENU_PATH = `${API}/menu`;
/** The path where items are switched and stores paused. */
export const ITEMS_PATH = `${API}/availability/stores/items`;
export const STORES_PATH = `${API}/availability/stores/enable`;

/** The path of a store's special days, which names it by the app's own number. */
export function specialDaysPath(rappiId: number): string {
  return `/api/rest-ops-utils/store/schedule/${rappiId}/special`;
}

/** The app wants a name for each special day. */
export const NAMELESS_DAY = 'Special day';

/** The app's results for a store that was paused or resumed. */
export const STORE_RESULTS = {
  good: new Set(['SUCCESS', 'STORE_ALREADY_IN_STATUS']),
  refused: new Set(['SUSPENDED', 'FORBIDDEN', 'STORE_NOT_PUBLISHED']),
} as const;

/** The path that lists what became of a store's menus, by the app's own number of the store. */
export function detailsPath(rappiId: number): string {
  return `/rest-ops-utils/store/menu/${rappiId}/details`;
}

/** What became of a menu; any other word says that it is still looked at. */
export const APPROVALS = { approved: 'APPROVED', refused: 'ERROR_MA' } as const;

/** The app issues tokens on another host. A base URL that is not listed serves both paths itself. */
const TOKEN_BASE_URLS: Readonly<Record<string, string>> = {
  'https://services.mxgrability.rappi.com': 'https://api.rappi.com.mx',
};

export function tokenBaseUrl(baseUrl: string): string {
  return TOKEN_BASE_URLS[baseUrl] ?? baseUrl;
}

/** How often a call is repeated if a system behind the app fails; then it counts as a refusal. */
export const MOST_RETRIES = 3;

/** All menus of all stores come in one answer; a longer one is not read. */
export const MAX_LIVE_MENUS_BYTES = 16 * 1_048_576;

/** The app's validations by name, some with the suffix `_complies`. */
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
