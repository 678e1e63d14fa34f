/** Longest texts, in code points. */
export const TEXT_LENGTHS = { name: 100, description: 1_000 } as const;

/** Our choice: the app's documentation does not say. */
export const TOKEN_PATH = '/oauth/token';

/** The path where a merchant's menu is written; the id is the store's in the app. */
export function menuPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/menu`;
}

/** The path where items of a merchant are changed. */
export function itemsPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/items`;
}

/** The path where items of a merchant are switched. */
export function itemStatusPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/items/status`;
}

/** The path where the special days of a merchant are written. */
export function specialDaysPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/special-days`;
}

/** The path where a merchant is paused. */
export function storeStatusPath(merchantId: string): string {
  return `/v1/merchants/${encodeURIComponent(merchantId)}/status`;
}
