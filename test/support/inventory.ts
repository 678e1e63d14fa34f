import type { Sql } from '../../src/platform/db/client';
import { type AttemptOutcome, recordOutcomes } from '../../src/webhooks/sql/delivery-outcomes';
import type { DeliveryId } from '../../src/platform/ids';
import type { TestApi, TestCaller } from './api';
import { untilFound } from './until';

/** A receiver's address without a listener, because no worker runs. */
export const RECEIVER_URL = 'http://127.0.0.1:9/hook';

export async function createSystem(owner: TestCaller, name: string): Promise<string> {
  const made = await owner.post('/inventory/system/create', { name });
  if (made.status !== 201) throw new Error(made.text);
  return made.json.data.inventory_system_id;
}

/** A webhook of the type for the system; its signing secret. */
export async function manageWebhook(
  owner: TestCaller,
  systemId: string,
  type: 1 | 2,
  url = RECEIVER_URL,
): Promise<string> {
  const made = await owner.post('/inventory/system/webhook/manage', {
    type,
    inventory_system_id: systemId,
    url,
  });
  if (made.status !== 200) throw new Error(made.text);
  return made.json.data.secret;
}

export async function linkStore(
  owner: TestCaller,
  systemId: string,
  storeId: number,
  externalStoreId = 'ext-1',
): Promise<void> {
  const linked = await owner.post('/inventory/system/store/link', {
    inventory_system_id: systemId,
    store_id: storeId,
    external_store_id: externalStoreId,
  });
  if (linked.status !== 200) throw new Error(linked.text);
}

/** A request to one of the endpoints of the system's type 2 webhook; `body` adds to it or overrides. */
export function postWebhook(
  { owner, systemId }: { owner: TestCaller; systemId: string },
  verb: string,
  body: Record<string, unknown> = {},
  headers?: Record<string, string>,
) {
  const select = { type: 2, inventory_system_id: systemId, ...body };
  return owner.post(`/inventory/system/webhook/${verb}`, select, headers);
}

export interface LinkedStore {
  readonly owner: TestCaller;
  readonly storeId: number;
  readonly systemId: string;
}

/** A user with a store and a system that is linked to it, with webhooks of both types. */
export async function createLinkedStore(api: TestApi, name: string): Promise<LinkedStore> {
  const owner = await api.user('inventory:create', 'pos:events');
  const storeId = await api.store(owner);
  const systemId = await createSystem(owner, name);
  await manageWebhook(owner, systemId, 1);
  await manageWebhook(owner, systemId, 2);
  await linkStore(owner, systemId, storeId);
  return { owner, storeId, systemId };
}

export function sendEvent(
  { owner, storeId }: LinkedStore,
  kind: 'items' | 'stock',
  body: unknown,
  headers: Record<string, string> = {},
) {
  return owner.post(`/pos/store/${storeId}/inventory/${kind}`, body, headers);
}

/** What waits for the system or was sent to it, as it goes over the wire, oldest first. */
export async function payloadsFor(sql: Sql, { systemId }: LinkedStore): Promise<string[]> {
  const rows = await sql<{ payload: string }[]>`
    select payload::text as payload from any_delivery
    where inventory_system_id = ${systemId}::uuid order by sequence`;
  return rows.map((row) => row.payload);
}

export const STOCK_EVENT = {
  external_id: 'item-1',
  current_stock: '10.50',
  quantity: '-1',
  date: '2026-11-21',
  movement_type: 2,
};

export const ITEMS_EVENT = { units: [], items: [], suppliers: [] };

/** The next pending delivery of a store, once it is there. */
export async function nextPending(sql: Sql, systemId: string): Promise<string> {
  return untilFound(async () => {
    const [row] = await sql<{ deliveryId: string }[]>`
      select delivery_id from delivery
      where inventory_system_id = ${systemId}::uuid
      order by sequence limit 1`;
    return row?.deliveryId;
  });
}

/** Ends a delivery with an attempt, as a worker would, and notifies its callers. */
export async function endDelivery(
  sql: Sql,
  deliveryId: string,
  end: { state: AttemptOutcome['state']; status?: number; message?: string },
): Promise<void> {
  const { state, status = null, message = null } = end;
  const [row] = await sql<{ number: number }[]>`
    update delivery set lease_epoch = 1 where delivery_id = ${deliveryId}
    returning attempts_made + 1 as number`;
  if (!row) throw new Error(`no pending delivery ${deliveryId}`);
  await recordOutcomes(sql, {
    attempts: [
      {
        deliveryId: deliveryId as DeliveryId,
        epoch: 1,
        number: row.number,
        state,
        delayMs: 0,
        attemptsBeforeResend: 0,
        afterResendMs: null,
        startedAt: Date.now(),
        durationMs: 12,
        status,
        error: null,
        detail: null,
        response: message,
        message,
      },
    ],
    released: [],
    health: [],
  });
}
