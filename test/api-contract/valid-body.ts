import { randomUUID } from 'node:crypto';
import { ITEMS_EVENT, RECEIVER_URL, STOCK_EVENT } from '../support/inventory';
import type { ValidRequest, WorldIds } from './world';
import { rolloutOf } from './world-uploads';

/** A valid body, by the path as the table writes it, without `/api/v1`; undefined if none is read. */
export function validBody(
  path: string,
  menu: ValidRequest['body'],
  ids: WorldIds,
): ValidRequest['body'] {
  const select = { type: 2, inventory_system_id: ids.systemId };
  switch (path) {
    case '/menus/upload':
      return menu;
    case '/menus/preview': {
      const { integration_id, ...preview } = menu ?? {};
      return { ...preview, integration_ids: [integration_id] };
    }
    case '/menus/changes':
      return {
        store_id: ids.storeId,
        items: [{ external_id: 'I1', price: { value: '15900' } }],
      };
    case '/menus/rollouts':
      return rolloutOf(ids.storeId, ids.integrationId);
    case '/menus/live/check':
      return { store_id: ids.readable.storeId, integration_id: ids.readable.integrationId };
    case '/store':
      return {
        name: `Store ${randomUUID()}`,
        country_code: 'MX',
        latitude: '19.4342',
        longitude: '-99.1413',
        time_zone: 'America/Mexico_City',
      };
    case '/store/{store_id}':
      return {
        direction: 'Av. Juárez 1',
        latitude: '19.4342',
        longitude: '-99.1413',
        time_zone: 'America/Mexico_City',
        availability_from_stock: 'on',
      };
    case '/menus/availability':
      return { store_id: ids.storeId, items: [{ external_id: 'I1', available: false }] };
    case '/store/{store_id}/pause':
    case '/store/{store_id}/resume':
      return { integration_ids: [ids.integrationId] };
    case '/store/{store_id}/special-days': {
      const [date = ''] = new Date(Date.now() + 7 * 86_400_000).toISOString().split('T');
      return { integration_ids: [ids.integrationId], days: [{ date, closed: true }] };
    }
    case '/inventory/system/{inventory_system_id}':
    case '/inventory/system/create':
      return { name: `System ${randomUUID()}` };
    case '/inventory/system/store/link':
      return {
        inventory_system_id: ids.systemId,
        store_id: ids.storeId,
        external_store_id: 'ext-1',
      };
    case '/events/webhook/manage':
      return { url: RECEIVER_URL };
    case '/events/webhook/secret/rotate':
      return { grace_seconds: 60 };
    case '/inventory/system/webhook/manage':
      return { ...select, url: RECEIVER_URL };
    case '/inventory/system/webhook/secret/rotate':
    case '/inventory/system/webhook/enable':
    case '/inventory/system/webhook/disable':
    case '/inventory/system/webhook/test':
      return select;
    case '/inventory/system/store/{store_id}/pos/stock/update':
      return { inventory_system_id: ids.systemId, pos_id: ids.posId, ...STOCK_EVENT };
    case '/pos/store/{store_id}/inventory/items':
      return ITEMS_EVENT;
    case '/pos/store/{store_id}/inventory/stock':
      return STOCK_EVENT;
    case '/webhooks/deliveries/resend':
      return { type: 1 };
    default:
      return undefined;
  }
}
