/** Levels of modifier groups below a sold item, as the app publishes. */
export const MOST_LEVELS = 6;

/** Scope of a token for menus. */
export const MENU_SCOPE = 'eats.store';
/** Scopes of a token for pauses. */
export const STATUS_SCOPE = `${MENU_SCOPE} eats.store.status.write`;

export const TOKEN_PATH = '/oauth/v2/token';

/** The path where a store's menu is written and read back; the id is the store's in the app, a UUID. */
export function menusPath(storeId: string): string {
  return `/v2/eats/stores/${encodeURIComponent(storeId)}/menus`;
}

/** The app issues tokens on another host. A base URL that is not listed serves both paths itself. */
const AUTH_BASE_URLS: Readonly<Record<string, string>> = {
  'https://api.uber.com': 'https://auth.uber.com',
};

export function authBaseUrl(baseUrl: string): string {
  return AUTH_BASE_URLS[baseUrl] ?? baseUrl;
}

/**
 * Longer bodies are compressed, as the app recommends. Shorter ones fit into the first round trip of a connection
 * (ten segments of 1,460 bytes), so compressing them saves no time.
 */
export const GZIP_ABOVE_BYTES = 14_600;

/** The largest menu (10 MB), plus the fields that the app adds when it is read back. */
export const MAX_LIVE_MENU_BYTES = 16 * 1_048_576;

/**
 * Ids that cannot stand in a path: as a URL is read, `.` and `..` are taken out of it, even percent-encoded, so the
 * call would go to another resource.
 */
export const NO_PATH_SEGMENT = /^\.\.?$/;

/**
 * The path where one item is switched. Ids are percent-encoded, but the app may still not find one with `/` or `;`.
 */
export function itemPath(storeId: string, itemId: string): string {
  return `${menusPath(storeId)}/items/${encodeURIComponent(itemId)}`;
}

/** The path where the special days of a store are written. */
export function holidayHoursPath(storeId: string): string {
  return `/v1/eats/stores/${encodeURIComponent(storeId)}/holiday-hours`;
}

/** The path where a store is paused: `store` in the singular, and another version. */
export function statusPath(storeId: string): string {
  return `/v1/eats/store/${encodeURIComponent(storeId)}/status`;
}
