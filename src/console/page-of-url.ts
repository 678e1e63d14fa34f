/** What the API's path names, and the page of the console about it. */
const PAGES: readonly (readonly [path: RegExp, page: (named: string) => string])[] = [
  [/^\/menus\/uploads\/([^/?]+)/, (id) => `/console/uploads/${id}`],
  [/^\/menus\/rollouts\/([^/?]+)/, (id) => `/console/rollouts/${id}`],
  [/^\/menus\/availability\?(.+)/, (query) => `/console/availability?${query}`],
  [/^\/webhooks\/deliveries\/([^/?]+)/, (id) => `/console/deliveries/${id}`],
  [
    /^\/inventory\/system\/([^/?]+)/,
    (id) => `/console/webhooks?${new URLSearchParams({ inventory_system_id: id }).toString()}`,
  ],
  [/^\/store\/([^/?]+)/, (id) => `/console/stores/${id}`],
];
const API = '/api/v1';

/** The page of the console about what the API has at this path; null: there is none. */
export function pageOfUrl(url: string | null): string | null {
  if (!url?.startsWith(API)) return null;
  for (const [pattern, page] of PAGES) {
    const named = pattern.exec(url.slice(API.length))?.[1];
    if (named !== undefined) return page(named);
  }
  return null;
}

/** The page of an item, by its name or id, in the menus of a store. */
export function pathOfItem(storeId: number | string, item: string): string {
  return `/console/stores/${storeId}/menu?${new URLSearchParams({ item }).toString()}`;
}
