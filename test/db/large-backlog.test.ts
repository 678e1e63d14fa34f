import type { Sql } from '../../src/platform/db/client';
import { claimDeliveries } from '../../src/webhooks/sql/delivery-claims';
import { discardExpiredDeliveries } from '../../src/webhooks/sql/delivery-retention';
import { discardOrdered, removeDoneDiscards } from '../../src/webhooks/sql/discards';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

const BACKLOG = 20_000;
const LEASE_MS = 15_000;

let database: TestDatabase;
/** Its deliveries are an hour old. */
let webhook: TestSubscription;

beforeAll(async () => {
  database = await createTestDatabase();
  const rows = await createWebhookRows(database.sql);
  webhook = await rows.subscribe({ url: 'https://stock.example/' });
  for (let n = 0; n < 50; n += 1) await rows.subscribe({ url: 'https://idle.example/' });
  await database.sql`update webhook_shard set epoch = 1 where shard = ${webhook.shard}::smallint`;
  await wait(BACKLOG, 3_600);
  await database.sql`analyze delivery`;
});
afterAll(() => database.drop());

/** As many deliveries wait that were due as soon as they were made, so many seconds ago. */
async function wait(count: number, secondsAgo: number): Promise<void> {
  await database.sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
      payload_bytes, request_id, user_id, created_at, due_at)
    select 'dlv_' || id, 'msg_' || id, ${webhook.subscriptionId}, ${webhook.inventorySystemId}::uuid, 2, 1, '{}', 2,
      'r', 'u', at, at
    from generate_series(1, ${count}::int) n, lateral (
      select md5(n || '/' || ${secondsAgo}::int) as id, now() - ${secondsAgo}::int * interval '1 s' as at) as made`;
}

/** By the owner of the webhook's shard. */
async function claim(sql: Sql) {
  const { subscriptionId, shard } = webhook;
  const request = { subscriptionId, shard, epoch: 1, most: 10, healthVersion: null };
  return claimDeliveries(sql, [request], LEASE_MS);
}

test('without an order to discard, nothing that waits is read', async () => {
  const { value, rows } = await readingOf('delivery', database.sql, async (sql) => [
    await discardOrdered(sql, 1_000),
    await removeDoneDiscards(sql, 1_000),
  ]);
  expect({ value, rows }).toEqual({ value: [0, 0], rows: 0 });
});

test.each([
  ['another webhook', `subscription_id <> `],
  ['this one', `subscription_id = `],
])('what has not waited too long is not read while %s is disabled', async (_, which) => {
  const { sql } = database;
  await sql.unsafe(
    `update subscription set state = 'disabled', disabled_reason = 'manual' where ${which} '${webhook.subscriptionId}'`,
  );
  await sql`analyze`;
  const { value, rows } = await readingOf('delivery', sql, (tx) =>
    discardExpiredDeliveries(tx, 30, 1_000),
  );
  expect({ value, rows }).toEqual({ value: 0, rows: 0 });
  await sql`update subscription set state = 'enabled', disabled_reason = null`;
});

test('a claim of a webhook that was deleted and made again passes over what was ordered to be discarded', async () => {
  const { sql } = database;
  await wait(1, 5);
  await sql`
    insert into discard_order (subscription_id, store_id, ordered_at, settled)
    values (${webhook.subscriptionId}, null, now() - interval '30 min', true)`;
  const { value, rows } = await readingOf('delivery', sql, (tx) => claim(tx));
  expect(value.map(({ deliveryId }) => deliveryId)).toEqual([expect.any(String)]);
  expect(rows).toBeLessThanOrEqual(20);
});

test('a claim does not read the orders about other webhooks', async () => {
  const { sql } = database;
  await sql`
    insert into discard_order (subscription_id, store_id)
    select 'sub_' || n, 1 from generate_series(1, 5000) n`;
  const { rows } = await readingOf('discard\\_order', sql, (tx) => claim(tx));
  expect(rows).toBeLessThanOrEqual(10);
  await sql`delete from discard_order`;
});
