import { adapterOf } from '../../src/delivery-apps/registry';
import type { ShippedAppName } from '../../src/delivery-apps/types';
import type { Shown } from '../../src/delivery-apps/shown';
import type { MenuDocument } from '../../src/menus/menu';
import { callerOf } from './call-system';
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
  const call = callerOf(system);
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
