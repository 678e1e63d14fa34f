import { adapterOf } from '../../src/delivery-apps/registry';
import type { ShippedAppName } from '../../src/delivery-apps/types';
import type { Shown } from '../../src/delivery-apps/shown';
import type { MenuDocument } from '../../src/menus/menu';
import { recordAnswer } from '../api-contract/record-answer';
import type { Shop } from './shop';
import type { SharedSystem } from './system';

/** A change of single items, as its caller sees it. */
export interface MenuChangeAnswer {
  readonly status: number;
  readonly message: string | readonly string[];
  readonly changes: readonly {
    readonly upload_id: string | null;
    readonly integration_id: string;
    readonly state: string;
    readonly way: string | null;
    readonly messages: readonly string[];
  }[];
}

/** Calls of the API about single items of the menu of one shop. */
export function menuChangesOf(system: SharedSystem, shop: Shop) {
  async function call(method: string, path: string, body?: unknown, headers = {}) {
    const response = await fetch(`${system.apiUrl()}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${system.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, url } = response;
    const text = await response.text();
    recordAnswer({ method, url, status, headers: response.headers, text });
    return { status, headers: response.headers, json: JSON.parse(text) };
  }
  return {
    async change(body: object, headers = {}): Promise<MenuChangeAnswer> {
      const whole = { store_id: shop.storeId, ...body };
      const { status, json } = await call('POST', '/menus/changes', whole, headers);
      return { status, message: json.message ?? json, changes: json.data?.changes ?? [] };
    },
    async upload(menu: MenuDocument, headers = {}) {
      const body = {
        store_id: shop.storeId,
        integration_id: String(shop.integrationId),
        ...menu,
      };
      const {
        status,
        json,
        headers: answered,
      } = await call('POST', '/menus/upload', body, headers);
      return { status, message: json.message, uploadId: answered.get('x-upload-id') ?? '' };
    },
    of: async (uploadId: string, page = '') =>
      (await call('GET', `/menus/uploads/${uploadId}${page}`)).json.data,
    live: async () => (await call('GET', `/menus/live?store_id=${shop.storeId}`)).json.data[0],
    check: async () => {
      const body = { store_id: shop.storeId, integration_id: String(shop.integrationId) };
      return (await call('POST', '/menus/live/check', body)).json.data;
    },
  };
}

/** What guests see in the app, by the reader of its menus. */
export async function shownInApp(app: ShippedAppName, shop: Shop): Promise<Shown> {
  const { payload } = (await shop.store()) as unknown as { readonly payload: unknown };
  return adapterOf(app).readShown(payload, {
    store: { appStoreId: shop.appStoreId, currencyExponent: 2, locale: 'es_mx' },
    sentMenus: [{ identifier: 'M1', name: 'Main menu' }],
  });
}
