import { removeExpiredLevels } from '../../src/availability/sql/change-retention';
import { applyMovement, insertMovement } from '../../src/availability/sql/stock-movements';
import {
  discardExpiredDeliveries,
  removeExpiredDeliveries,
} from '../../src/webhooks/sql/delivery-retention';
import { listAttempts } from '../../src/webhooks/sql/delivery-views';
import { removeExpiredPosRequests } from '../../src/inventory/sql/pos-requests';
import { findWaiting, surveyShard } from '../../src/webhooks/sql/webhook-shards';
import type { DeliveryId } from '../../src/platform/ids';
import { webhookShardWorkflow } from '../../src/webhooks/queue';
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
let shard: number;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  await api.sql`delete from delivery`;
  await api.sql`delete from attempt`;
  await api.sql`delete from ended_delivery`;
  linked = await createLinkedStore(api, `System ${(made += 1)}`);
  const [row] = await api.sql<{ subscriptionId: string; shard: number }[]>`
    select subscription_id, shard from subscription
    where inventory_system_id = ${linked.systemId}::uuid and type = 1`;
  subscriptionId = row?.subscriptionId ?? '';
  shard = row?.shard ?? -1;
  await api.sql`delete from webhook_worker`;
  await api.sql`update webhook_shard set worker = null, epoch = 0, sweeps = 0, next_sweep_at = now()`;
});

async function deliver(): Promise<string> {
  const path = `/pos/store/${linked.storeId}/inventory/items`;
  const { json } = await linked.owner.post(path, ITEMS_EVENT);
  return json.data.deliveries[0].delivery_id;
}

async function age(deliveryId: string, days: number): Promise<void> {
  await api.sql`
    update delivery set created_at = created_at - ${days}::int * interval '1 day',
      due_at = due_at - ${days}::int * interval '1 day'
    where delivery_id = ${deliveryId}`;
  await api.sql`
    update ended_delivery set finished_at = finished_at - ${days}::int * interval '1 day'
    where delivery_id = ${deliveryId}`;
}

async function states(): Promise<Record<string, string>> {
  const rows = await api.sql<{ deliveryId: string; state: string }[]>`
    select delivery_id, state from any_delivery`;
  return Object.fromEntries(rows.map((row) => [row.deliveryId, row.state]));
}

function disable() {
  return linked.owner.post('/inventory/system/webhook/disable', {
    type: 1,
    inventory_system_id: linked.systemId,
  });
}

function enable() {
  return linked.owner.post('/inventory/system/webhook/enable', {
    type: 1,
    inventory_system_id: linked.systemId,
  });
}

test('only deliveries that waited for a disabled webhook longer than the retention are discarded', async () => {
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
  await enable();
  await disable();
  expect(await discardExpiredDeliveries(api.sql, 30, 100)).toBe(0);
});

test('ended deliveries without a partition are removed after the retention, in batches', async () => {
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
  expect(await listAttempts(api.sql, fresh as DeliveryId)).toHaveLength(1);
});

test('unanswered POS requests are removed after the retention', async () => {
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

test('levels of stock are removed when no movement of the item counted within the retention', async () => {
  const { storeId } = linked;
  await api.sql`update store set availability_from_stock = 'on' where store_id = ${storeId}::bigint`;
  await api.sql`
    insert into stock_level (store_id, external_id, movement_no, moved_at, is_out, counted_at)
    select ${storeId}::bigint, name, 0, '2020-01-01', true, now() - days * interval '1 day'
    from (values ('young', 29), ('old', 31), ('older', 40), ('moved', 40)) as level (name, days)`;
  const movement = await insertMovement(api.sql, {
    storeId,
    externalId: 'moved',
    isOut: false,
    saidAt: new Date('2021-01-01'),
    eventId: null,
    deliveries: 0,
    waitMs: 0,
    heldKey: null,
  });
  await applyMovement(api.sql, movement ?? 0);
  expect(await removeExpiredLevels(api.sql, 30, 1)).toBe(1);
  expect(await removeExpiredLevels(api.sql, 30, 100)).toBe(1);
  expect(await api.sql`select external_id from stock_level order by 1`).toEqual([
    { externalId: 'moved' },
    { externalId: 'young' },
  ]);
});

const WORKER = '00000000-0000-4000-8000-000000000001';

test('the sweep takes a shard with an overdue row and no living worker, with back-off', async () => {
  const id = await deliver();
  expect(await webhookShardWorkflow.takeOverdue(api.sql, 10)).toEqual([]);
  await api.sql`update delivery set due_at = now() - interval '31 s' where delivery_id = ${id}`;
  expect(await webhookShardWorkflow.takeOverdue(api.sql, 10)).toEqual([shard]);
  expect(await webhookShardWorkflow.takeOverdue(api.sql, 10)).toEqual([]);
});

test.each([
  ['whose shard has a living worker', `webhook_shard set worker = '${WORKER}'`],
  ['that is paused', `subscription set paused_until = now() + interval '1 min'`],
  ['that is disabled', `subscription set state = 'disabled', disabled_reason = 'manual'`],
])('the sweep leaves a subscription alone %s', async (_, change) => {
  const id = await deliver();
  await api.sql`update delivery set due_at = now() - interval '31 s' where delivery_id = ${id}`;
  await api.sql`
    insert into webhook_worker (worker, name, lease_until) values (${WORKER}::uuid, 'w', now() + interval '1 min')`;
  await api.sql.unsafe(`update ${change}`);
  expect(await webhookShardWorkflow.takeOverdue(api.sql, 10)).toEqual([]);
});

const AHEAD_MS = 1_000;

test('a shard finds only what could be claimed', async () => {
  const found = async () =>
    (await findWaiting(api.sql, [shard], AHEAD_MS)).map((each) => each.subscriptionId);
  expect(await found()).toEqual([]);
  const id = await deliver();
  expect(await found()).toEqual([subscriptionId]);
  expect(await findWaiting(api.sql, [shard === 0 ? 1 : 0], AHEAD_MS)).toEqual([]);
  const lease = (epoch: number) => api.sql`
    update delivery set lease_epoch = ${epoch}::bigint, lease_until = now() + interval '30 s'
    where delivery_id = ${id}`;
  await api.sql`update webhook_shard set epoch = 2 where shard = ${shard}::smallint`;
  await lease(2);
  expect(await found()).toEqual([]);
  await lease(1);
  expect(await found()).toEqual([subscriptionId]);
  await api.sql`update delivery set due_at = now() + interval '1 min' where delivery_id = ${id}`;
  expect(await found()).toEqual([]);
});

test('the deliveries of a shard are counted by state', async () => {
  await deliver();
  const id = await deliver();
  const survey = async () => (await surveyShard(api.sql, shard)).holding;
  const dueMs = async () => (await surveyShard(api.sql, shard)).dueMs;
  expect(await survey()).toMatchObject({ deliveries: 2, subscriptions: 1, paused: 0, disabled: 0 });
  await api.sql`update subscription set paused_until = now() + interval '1 min'`;
  expect(await survey()).toMatchObject({ paused: 1, disabled: 0 });
  expect(await dueMs()).toBeGreaterThan(58_000);
  await disable();
  expect(await survey()).toMatchObject({ paused: 0, disabled: 1 });
  expect(await dueMs()).toBeNull();
  await endDelivery(api.sql, id, { state: 'delivered', status: 200 });
  expect(await survey()).toMatchObject({ deliveries: 1 });
  await api.sql`delete from delivery`;
  expect(await survey()).toBeNull();
});
