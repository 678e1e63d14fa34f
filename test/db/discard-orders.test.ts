import { endLockedUser } from '../../src/deletions/sql/deletions';
import type { Sql } from '../../src/platform/db/client';
import { newId, type UserId } from '../../src/platform/ids';
import { deleteLink } from '../../src/stores/sql/store-link-views';
import { EVENTS } from '../../src/webhooks/platform-events';
import { saveSubscription } from '../../src/webhooks/sql/subscriptions';
import { discardOrdered, removeDoneDiscards } from '../../src/webhooks/sql/discards';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

const STORES = 20;
const OF_EACH = 100;

let database: TestDatabase;
let rows: WebhookRows;
/** Disabled for long: its deliveries wait. */
let disabled: TestSubscription;
let another: TestSubscription;

beforeAll(async () => {
  database = await createTestDatabase();
  rows = await createWebhookRows(database.sql);
  disabled = await rows.subscribe({ url: 'https://disabled.example/' });
  another = await rows.subscribe({ url: 'https://another.example/' });
  await wait(disabled, STORES);
  await wait(another, 2);
  await database.sql`analyze`;
});
afterAll(() => database.drop());
beforeEach(() => database.sql`delete from discard_order`);

/** `OF_EACH` deliveries wait for each of the stores from 1 on. */
async function wait(to: TestSubscription, stores: number): Promise<void> {
  await database.sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
      payload_bytes, request_id, user_id, created_at)
    select 'dlv_' || id, 'msg_' || id, ${to.subscriptionId}, ${to.inventorySystemId}::uuid, 2, store_id, '{}', 2,
      'r', 'u', now() - interval '1 h'
    from generate_series(1, ${stores}::int) store_id, generate_series(1, ${OF_EACH}::int) n,
      lateral (select md5(${to.subscriptionId} || store_id || '/' || n) as id) as made`;
}

async function order(storeIds: readonly (number | null)[]): Promise<void> {
  await database.sql`
    insert into discard_order (subscription_id, store_id, ordered_at, settled)
    select ${disabled.subscriptionId}, store_id, now() - interval '2 min', true
    from unnest(${[...storeIds]}::bigint[]) as store_id`;
}

test('orders for stores without waiting deliveries do not read those of other stores', async () => {
  await order(Array.from({ length: 30 }, (_, n) => 1_000 + n));
  const { rows: read } = await readingOf('delivery', database.sql, async (sql) => {
    expect(await discardOrdered(sql, 50)).toBe(0);
    expect(await removeDoneDiscards(sql, 50)).toBe(30);
  });
  expect(read).toBe(0);
});

test('an order for a store ends only its deliveries to this webhook, in batches', async () => {
  await order([1]);
  expect(await discardOrdered(database.sql, 60)).toBe(60);
  expect(await removeDoneDiscards(database.sql, 10)).toBe(0);
  expect(await discardOrdered(database.sql, 60)).toBe(40);
  expect(await removeDoneDiscards(database.sql, 10)).toBe(1);
  expect(await rows.countPending(disabled)).toBe((STORES - 1) * OF_EACH);
  expect(await rows.countPending(another)).toBe(2 * OF_EACH);
});

test('an order is not about what was resent after it, and does not wait for that', async () => {
  await order([3]);
  await database.sql`
    update delivery set resent_at = now() - interval '1 min'
    where store_id = 3 and subscription_id = ${disabled.subscriptionId}`;
  expect(await discardOrdered(database.sql, 60)).toBe(0);
  expect(await removeDoneDiscards(database.sql, 10)).toBe(1);
});

test('an order for a webhook ends all of its deliveries', async () => {
  await database.sql`update delivery set resent_at = null`;
  await order([null, 2]);
  let discarded = 0;
  for (let some = -1; some !== 0; discarded += Math.max(0, some)) {
    some = await discardOrdered(database.sql, 500);
    expect(some).toBeLessThanOrEqual(1_000);
  }
  expect(discarded).toBe((STORES - 1) * OF_EACH);
  expect(await removeDoneDiscards(database.sql, 10)).toBe(2);
  expect(await rows.countPending(another)).toBe(2 * OF_EACH);
});

test('an order is meant for what was written before its commit, of a store as of a user', async () => {
  const { sql } = database;
  const linked = await rows.subscribe({ url: 'https://linked.example/' });
  const { subscriptionId, inventorySystemId } = linked;
  const [owner] = await sql<{ userId: UserId }[]>`
    select created_by as user_id from inventory_system
    where inventory_system_id = ${inventorySystemId}::uuid`;
  const userId = owner?.userId as UserId;
  await sql`
    insert into store (store_id, name, name_key, country_code, created_by)
    overriding system value values (1, 'A', 'a', 'DE', ${userId})`;
  await sql`
    insert into store_link (inventory_system_id, store_id, external_store_id)
    values (${inventorySystemId}::uuid, 1, 's1')`;
  const events = newId('sub');
  await saveSubscription(sql, {
    key: { userId, type: EVENTS },
    newId: events,
    newSecretEncrypted: Buffer.from('sealed'),
    url: 'https://events.example/',
    maxInFlight: null,
    heldKey: null,
  });
  const waiting = () => sql`
    select from delivery where subscription_id = any(${[subscriptionId, events]}::text[])`;
  await sql.begin(async (tx) => {
    await deleteLink(tx as Sql, inventorySystemId, 1);
    await endLockedUser(tx, userId, 'deactivated');
    await rows.put(linked);
    await sql`select write_event('rollout.ended', now(), '{}', about_user => ${userId})`;
  });
  expect(await waiting()).toHaveLength(2);
  expect(await discardOrdered(sql, 10)).toBe(2);
  expect(await waiting()).toEqual([]);
});
