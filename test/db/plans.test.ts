import { purgeStore } from '../../src/deletions/sql/store-purge';
import { findWaitingDeliveries } from '../../src/metrics/waiting-deliveries';
import { connect, type Sql } from '../../src/platform/db/client';
import { discardOrdered } from '../../src/webhooks/sql/discards';
import { enableSubscription } from '../../src/webhooks/sql/subscription-state';
import { recordOutcomes } from '../../src/webhooks/sql/delivery-outcomes';
import { claimDeliveries } from '../../src/webhooks/sql/delivery-claims';
import { findDeliveryOutcome } from '../../src/webhooks/sql/deliveries';
import { findWaiting, surveyShard } from '../../src/webhooks/sql/webhook-shards';
import { createStore, grantStoreTo } from '../../src/admin/stores';
import { linkStore } from '../../src/stores/sql/store-links';
import { findEventStore } from '../../src/webhooks/sql/event-routes';
import type { DeliveryId, UserId } from '../../src/platform/ids';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

test('a statement that was first run on a table of fifty rows uses the index when there are many', async () => {
  const database = await createEmptyDatabase();
  const sql = connect(database.url, { max: 1 });
  await sql`create table queue (id int primary key, note text not null)`;
  await sql`insert into queue select n, 'note' from generate_series(1, 50) as n`;
  await sql`analyze queue`;
  const plan = await sql<{ 'QUERY PLAN': string }[]>`explain select note from queue where id = 7`;
  expect(plan.map((line) => Object.values(line)[0]).join('\n')).toMatch(
    /^Index Scan using queue_pkey/,
  );
  const [row] = await sql<{ n: number }[]>`select count(*) as n from queue where note = 'note'`;
  expect(row?.n).toBe(50);
  await sql.end();
  await database.drop();
});

test('a statement is planned once on a connection', async () => {
  const database = await createEmptyDatabase();
  const sql = connect(database.url, { max: 1 });
  for (let n = 0; n < 10; n += 1) await sql`select ${n}::int as often`;
  const [row] = await sql<{ generic: number; custom: number }[]>`
    select generic_plans as generic, custom_plans as custom from pg_prepared_statements
    where statement like '%as often%' and statement not like '%generic_plans%'`;
  expect(row).toEqual({ generic: 10, custom: 0 });
  await sql.end();
  await database.drop();
});

test('an outcome is recorded without reading what else is pending', async () => {
  const database = await createTestDatabase();
  const rows = await createWebhookRows(database.sql);
  const sql = connect(database.url, { max: 1 });
  const subscription = await rows.subscribe({ url: 'https://stock.example/' });
  const first = await rows.put(subscription, 10);
  await database.sql`update delivery set lease_epoch = 1`;
  await recordOutcomes(sql, failureOf(first[0]));
  const ids = await rows.put(subscription, 300);
  await database.sql`update delivery set lease_epoch = 1`;
  const before = await pendingEntriesRead();
  for (const id of ids.slice(0, 10)) await recordOutcomes(sql, failureOf(id));
  expect((await pendingEntriesRead()) - before).toBeLessThan(100);
  expect(await rows.attempts(ids[9] as DeliveryId)).toHaveLength(1);
  await sql.end();
  await database.drop();

  async function pendingEntriesRead(): Promise<number> {
    await sql`select pg_stat_force_next_flush()`;
    await sql`select 1`;
    const [row] = await sql<{ read: number }[]>`
      select idx_tup_read as read from pg_stat_user_indexes
      where indexrelname = 'delivery_due'`;
    return row?.read ?? Number.NaN;
  }
});

test('where the events of a store go is found by its links, in a database that was never analyzed', async () => {
  const database = await createTestDatabase();
  const rows = await createWebhookRows(database.sql);
  const stores: number[] = [];
  const [user] = await database.sql<{ userId: UserId }[]>`select user_id from app_user`;
  const userId = user?.userId as UserId;
  for (let n = 0; n < 60; n += 1) {
    const { inventorySystemId } = await rows.subscribe({ url: 'https://stock.example/' });
    const made = await createStore(database, { name: `Store ${n}`, country: 'MX', userId });
    const storeId = made.store_id;
    await grantStoreTo(database, userId, storeId);
    await linkStore(database.sql, {
      inventorySystemId,
      storeId,
      externalStoreId: 's',
      madeBy: userId,
      byOperator: true,
    });
    stores.push(storeId);
  }
  const sql = connect(database.url, { max: 1 });
  const before = await entriesRead();
  const found = await findEventStore(sql, { userId, storeId: stores[7] ?? 0, type: 2 });
  expect(found?.targets).toHaveLength(1);
  expect((await entriesRead()) - before).toBeLessThan(10);
  await sql.end();
  await database.drop();

  async function entriesRead(): Promise<number> {
    await sql`select pg_stat_force_next_flush()`;
    await sql`select 1`;
    const [row] = await sql<{ read: number }[]>`
      select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'subscription'`;
    return row?.read ?? Number.NaN;
  }
});

test('claims and outcomes planned while nothing waited, as after each vacuum, do not read what waits later', async () => {
  const database = await createTestDatabase();
  const rows = await createWebhookRows(database.sql);
  const busy = await rows.subscribe({ url: 'https://stock.example/' });
  const quiet = await rows.subscribe({ url: 'https://stock.example/quiet' });
  await rows.put(busy, 500);
  // One row at the end keeps the table's pages. For the planner each index then has one page, whichever rows are wanted.
  await database.sql`delete from delivery where delivery_id < (select max(delivery_id) from delivery)`;
  await database.sql.unsafe('vacuum (analyze) delivery');
  const held = await database.sql<{ shard: number; epoch: number }[]>`
    update webhook_shard set epoch = nextval('webhook_epoch')
    where shard in (${busy.shard}::smallint, ${quiet.shard}::smallint) returning shard, epoch`;
  const { subscriptionId, shard } = busy;
  const epoch = held.find((each) => each.shard === shard)?.epoch ?? Number.NaN;
  const sql = connect(database.url, { max: 1 });
  const rowsOfOne = await createWebhookRows(sql);
  await useAll(1);
  const ids = await rows.put(busy, 3_000);
  const before = await entriesRead();
  expect(await useAll(20)).toBe(20);
  const after = await entriesRead();
  expect(after.get('delivery_of_subscription')).toBe(before.get('delivery_of_subscription'));
  expect(after.get('delivery_of_store')).toBe(before.get('delivery_of_store'));
  expect((after.get('delivery_due') ?? 0) - (before.get('delivery_due') ?? 0)).toBeLessThan(200);
  expect((after.get('delivery_pkey') ?? 0) - (before.get('delivery_pkey') ?? 0)).toBeLessThan(200);
  await sql.end();
  await database.drop();

  /** Each statement of a delivery's way; how many were claimed. */
  async function useAll(most: number): Promise<number> {
    const claimed = await claimDeliveries(
      sql,
      [{ subscriptionId, shard, epoch, most, healthVersion: 0 }],
      30_000,
    );
    const claimedIds = claimed.flatMap(({ deliveryId }) => deliveryId ?? []);
    await recordOutcomes(sql, failureOf(claimedIds[0] ?? ids[0]));
    await findDeliveryOutcome(sql, claimedIds[0] ?? ('dlv_' as DeliveryId));
    await findWaiting(sql, [shard], 1_000);
    await rowsOfOne.put(quiet, 1);
    return claimedIds.length;
  }

  /** By index: entries, and looks at it. */
  async function entriesRead(): Promise<Map<string, number>> {
    await sql`select pg_stat_force_next_flush()`;
    await sql`select 1`;
    const found = await sql<{ name: string; read: number }[]>`
      select indexrelname as name, (idx_tup_read + idx_scan)::int as read from pg_stat_user_indexes where relname = 'delivery'`;
    return new Map(found.map(({ name, read }) => [name, read]));
  }
});

describe('planned while nothing waited', () => {
  const WAITING = 3_000;
  const STORE = 7;
  let database: TestDatabase;
  let sql: Sql;
  let webhook: TestSubscription;

  const work = {
    survey: (own: Sql) => surveyShard(own, webhook.shard),
    metrics: findWaitingDeliveries,
    enable: (own: Sql) => enableSubscription(own, webhook),
    discard: (own: Sql) => discardOrdered(own, 100),
    purge: (own: Sql) => purgeStore(own, STORE),
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    const rows = await createWebhookRows(database.sql);
    webhook = await rows.subscribe({ url: 'https://stock.example/' });
    await rows.put(webhook, 500);
    await database.sql`
      insert into store (store_id, name, name_key, country_code, deleted_at)
      overriding system value values (${STORE}, 'S', 's', 'MX', now())`;
    await database.sql`
      delete from delivery where delivery_id < (select max(delivery_id) from delivery)`;
    await database.sql.unsafe('vacuum (analyze) delivery');
    await database.sql.unsafe('vacuum (analyze) attempt');
    sql = connect(database.url, { max: 1 });
    for (const each of Object.values(work)) await each(sql);
    await database.sql`
      insert into store (store_id, name, name_key, country_code, deleted_at)
      overriding system value values (${STORE}, 'S', 's', 'MX', now())`;
    await database.sql`
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
        payload_bytes, request_id, user_id, due_at)
      select 'dlv_' || md5(n::text), 'msg_' || n, ${webhook.subscriptionId}, ${webhook.inventorySystemId}::uuid,
        ${webhook.type}::smallint, case when n <= 100 then ${STORE}::bigint else n end, '{}', 2, 'r', 'u',
        now() + interval '1 h'
      from generate_series(1, ${WAITING}::int) n`;
    await database.sql`
      insert into attempt (delivery_id, number, epoch, started_at, duration_ms)
      select delivery_id, 1, 1, now(), 1 from delivery where store_id > 200`;
    await database.sql`
      insert into discard_order (subscription_id, store_id, settled)
      select ${webhook.subscriptionId}, n, true from generate_series(101, 200) n`;
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  test.each([
    ['survey', WAITING],
    ['metrics', WAITING],
    ['enable', WAITING],
    ['discard', 100],
    ['purge', 100],
  ] as const)('%s looks up each row that it needs of what waits later', async (name, needed) => {
    const { rows: read } = await readingOf<unknown>('delivery', sql, work[name]);
    expect(read).toBeLessThanOrEqual(5 * needed);
  });

  test('what ends does not read the attempts of what waits', async () => {
    await database.sql`
      insert into discard_order (subscription_id, store_id, settled)
      select ${webhook.subscriptionId}, n, true from generate_series(201, 210) n`;
    const { value, rows: read } = await readingOf('attempt', sql, work.discard);
    expect(value).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(20);
  });
});

function failureOf(deliveryId: DeliveryId | undefined) {
  if (deliveryId === undefined) throw new Error('no delivery');
  const attempt = {
    deliveryId,
    epoch: 1,
    number: 1,
    state: 'pending',
    delayMs: 60_000,
    attemptsBeforeResend: 0,
    afterResendMs: null,
    startedAt: Date.now(),
    durationMs: 1,
    status: 503,
    error: null,
    detail: null,
    response: null,
    message: null,
  } as const;
  return { attempts: [attempt], released: [], health: [] };
}
