import { callerOf } from './call-system';
import type { Shop } from './shop';
import type { SharedSystem } from './system';

/** A change as its caller sees it. */
export interface Change {
  readonly change_id: string;
  readonly integration_id: string;
  readonly state: string;
  readonly messages: readonly string[];
}

export interface ChangeAnswer {
  readonly status: number;
  readonly message: string | readonly string[];
  readonly changes: readonly Change[];
}

export interface WantedItem {
  readonly external_id: string;
  readonly available: boolean;
  readonly until?: string;
}

/** Calls of the API about items off sale in one shop and its pauses. */
export function availabilityOf(system: SharedSystem, shop: Shop) {
  const call = callerOf(system);
  async function change(
    path: string,
    body: object,
    headers = {},
    method = 'POST',
  ): Promise<ChangeAnswer> {
    const { status, json } = await call(method, path, body, headers);
    return { status, message: json.message, changes: json.data?.changes ?? [] };
  }
  const integrationIds = [String(shop.integrationId)];
  return {
    switch: (items: readonly WantedItem[], headers = {}) =>
      change(
        '/menus/availability',
        { store_id: shop.storeId, integration_ids: integrationIds, items },
        headers,
      ),
    pause: (body: object = {}, headers = {}) =>
      change(`/store/${shop.storeId}/pause`, { integration_ids: integrationIds, ...body }, headers),
    resume: () => change(`/store/${shop.storeId}/resume`, { integration_ids: integrationIds }),
    setDays(days: readonly unknown[], more: object = {}): Promise<ChangeAnswer> {
      const body = { integration_ids: integrationIds, days, ...more };
      return change(`/store/${shop.storeId}/special-days`, body, {}, 'PUT');
    },
    async days() {
      return (await call('GET', `/store/${shop.storeId}/special-days`)).json.data as {
        readonly days: readonly { readonly date: string }[];
        readonly integrations: readonly Record<string, unknown>[];
      };
    },
    setTimeZone: (timeZone: string | null) =>
      call('PATCH', `/store/${shop.storeId}`, { time_zone: timeZone }),
    /** Ids of the items that an upload is shown without. */
    async shownOff(uploadId: string) {
      const { json } = await call('GET', `/menus/uploads/${uploadId}/shown`);
      const items = json.data.items as readonly { external_id: string; available: boolean }[];
      return items.filter(({ available }) => !available).map(({ external_id: id }) => id);
    },
    async list() {
      const { json } = await call('GET', `/menus/availability?store_id=${shop.storeId}`);
      return json.data as readonly Record<string, unknown>[];
    },
    async change(id: string) {
      return (await call('GET', `/menus/availability/changes/${id}`)).json.data as Record<
        string,
        unknown
      >;
    },
    async paused() {
      const { json } = await call('GET', `/store/${shop.storeId}/integrations`);
      return json.data[0].paused as Record<string, unknown> | null;
    },
    /** Reads the menu back from the app and returns the difference from what was sent. */
    async checkLive() {
      const body = { store_id: shop.storeId, integration_id: String(shop.integrationId) };
      return (await call('POST', '/menus/live/check', body)).json as {
        readonly data: { readonly drift: { readonly state: string } };
      };
    },
    setFromStock: (value: 'on' | 'off') =>
      call('PATCH', `/store/${shop.storeId}`, { availability_from_stock: value }),
    moveStock: (externalId: string, stock: string, date: string) =>
      call('POST', `/pos/store/${shop.storeId}/inventory/stock`, {
        external_id: externalId,
        current_stock: stock,
        quantity: '1',
        date,
        movement_type: 2,
      }),
  };
}
