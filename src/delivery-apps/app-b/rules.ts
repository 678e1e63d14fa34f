/** Longest texts, in characters as people count them (code points). */
export const MAX_NAME_CHARACTERS = 100;
export const MAX_DESCRIPTION_CHARACTERS = 1_000;

/** Settings of the wire that are our choice: the app's documentation does not say. */
export const TOKEN_PATH = '/oauth/token';

/** Where a merchant's menu is put; the id is the store's in the app. */
export function menuPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/menu`;
}

/** Where items of a merchant are switched. */
export function itemStatusPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/items/status`;
}

/** Where a merchant is paused. */
export function storeStatusPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/status`;
}
