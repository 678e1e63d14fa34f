import { discardExpiredDeliveries, removeExpiredDeliveries } from '../../src/db/deliveries';
import { removeExpiredPosRequests } from '../../src/db/pos-requests';
import { webhookKind } from '../../src/queue/webhook-kind';
import { startTestApi, type TestApi } from '../support/api';
import {
  createLinkedStore,
  endDelivery,
  ITEMS_EVENT,
  type LinkedStore,
} from '../support/inventory';

let api: TestApi;
let linked: LinkedStore;
let subscriptionId: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  await api.sql`delete from delivery`;
  await api.sql`delete from attempt`;
  linked = await createLinkedStore(api, `System ${(made += 1)}`);
  const [row] = await api.sql<{ subscriptionId: string }[]>`
    select subscription_id from subscription
    where inventory_system_id = ${linked.systemId}::uuid and type = 1`;
  subscriptionId = row?.subscriptionId ?? '';
});

async function deliver(): Promise<string> {
  const path = `/pos/store/${linked.storeId}/inventory/items`;
  const { json } = await linked.owner.post(path, ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

async function age(deliveryId: string, days: number): Promise<void> {
  await api.sql`
    update delivery set created_at = created_at - ${days}::int * interval '1 day',
      due_at = due_at - ${days}::int * interval '1 day',
      finished_at = finished_at - ${days}::int * interval '1 day'
    where delivery_id = ${deliveryId}`;
}

async function states(): Promise<Record<string, string>> {
  const rows = await api.sql<{ deliveryId: string; state: string }[]>`
    select delivery_id, state from delivery`;
  return Object.fromEntries(rows.map((row) => [row.deliveryId, row.state]));
}

function disable() {
  return linked.owner.post('/inventory/system/webhook/disable', {
    type: 1,
    inventory_system_id: linked.systemId,
  });
}

test('only what waits for a disabled webhook longer than the retention is discarded', async () => {
  const old = await deliver();
  const young = await deliver();
  await age(old, 31);
  await age(young, 29);
  expect(await discardExpiredDeliveries(api.sql, 30, 100)).toBe(0);
  await disable();
  expect(await discardExpiredDeliveries(api.sql, 30, 100)).toBe(1);
  expect(await states()).toEqual({ [old]: 'discarded', [young]: 'pending' });
  expect(await removeExpiredDeliveries(api.sql, 30, 100)).toBe(0);
});

test('a discarded delivery that is resent while its webhook is disabled is not discarded again', async () => {
  const old = await deliver();
  await age(old, 31);
  await disable();
  await discardExpiredDeliveries(api.sql, 30, 100);
  await linked.owner.post(`/webhooks/deliveries/${old}/resend`, {});
  expect(await discardExpiredDeliveries(api.sql, 30, 100)).toBe(0);
});

test('ended deliveries leave after the retention, in batches and with their attempts', async () => {
  const ended = [await deliver(), await deliver(), await deliver()];
  for (const id of ended) {
    await endDelivery(api.sql, id, { state: 'delivered', status: 200 });
    await age(id, 31);
  }
  const fresh = await deliver();
  await endDelivery(api.sql, fresh, { state: 'delivered', status: 200 });
  expect(await removeExpiredDeliveries(api.sql, 30, 2)).toBe(2);
  expect(await removeExpiredDeliveries(api.sql, 30, 2)).toBe(1);
  expect(await states()).toEqual({ [fresh]: 'delivered' });
  const attempts = await api.sql`select delivery_id from attempt`;
  expect(attempts).toEqual([{ deliveryId: fresh }]);
});

test('unanswered POS requests leave after the retention', async () => {
  const { owner, storeId, systemId } = linked;
  await api.sql`
    with pos as (
      insert into pos_system (name, base_url, secret_encrypted)
      values ('POS', 'http://127.0.0.1:9', '') returning pos_id
    )
    insert into pos_request (pos_request_id, store_id, pos_id, inventory_system_id, user_id, request_id,
      message_id, body, outcome, error, duration_ms, created_at)
    select 'psr_' || days, ${storeId}::bigint, pos_id, ${systemId}::uuid, ${owner.userId}, 'r', 'm', '{}',
      'unknown', 'timeout', 1, now() - days * interval '1 day'
    from pos, unnest(array[29, 31]) as days`;
  expect(await removeExpiredPosRequests(api.sql, 30, 100)).toBe(1);
  expect(await api.sql`select pos_request_id from pos_request`).toEqual([
    { posRequestId: 'psr_29' },
  ]);
});

test('the sweep takes a subscription whose row is overdue and nobody is alive for, with back-off', async () => {
  const id = await deliver();
  expect(await webhookKind.takeOverdue(api.sql, 10)).toEqual([]);
  await api.sql`update delivery set due_at = now() - interval '31 s' where delivery_id = ${id}`;
  expect(await webhookKind.takeOverdue(api.sql, 10)).toEqual([subscriptionId]);
  expect(await webhookKind.takeOverdue(api.sql, 10)).toEqual([]);
});

test.each([
  ['alive', `alive_until = now() + interval '1 min'`],
  ['paused', `paused_until = now() + interval '1 min'`],
  ['disabled', `state = 'disabled', disabled_reason = 'manual'`],
])('the sweep leaves a subscription alone that is %s', async (_, change) => {
  const id = await deliver();
  await api.sql`update delivery set due_at = now() - interval '31 s' where delivery_id = ${id}`;
  await api.sql.unsafe(`update subscription set ${change}`);
  expect(await webhookKind.takeOverdue(api.sql, 10)).toEqual([]);
});

test('an entity that goes to rest finds what could be claimed, and nothing else', async () => {
  const rows = () => webhookKind.hasRows(api.sql, subscriptionId);
  expect(await rows()).toBe(false);
  const id = await deliver();
  expect(await rows()).toBe(true);
  const lease = (epoch: number) => api.sql`
    update delivery set lease_epoch = ${epoch}::bigint, lease_until = now() + interval '30 s'
    where delivery_id = ${id}`;
  await api.sql`update subscription set drain_epoch = 2`;
  await lease(2);
  expect(await rows()).toBe(false);
  await lease(1);
  expect(await rows()).toBe(true);
  await api.sql`update delivery set due_at = now() + interval '1 min' where delivery_id = ${id}`;
  expect(await rows()).toBe(false);
});
