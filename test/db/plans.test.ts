import { connect } from '../../src/platform/db/client';
import { recordOutcomes } from '../../src/webhooks/sql/delivery-outcomes';
import { createStore, grantStoreTo } from '../../src/admin/stores';
import { linkStore } from '../../src/stores/sql/store-links';
import { findEventStore } from '../../src/webhooks/sql/event-routes';
import type { DeliveryId, UserId } from '../../src/platform/ids';
import { createEmptyDatabase, createTestDatabase } from '../support/database';
import { createWebhookRows } from '../support/webhook-rows';

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
    await linkStore(database.sql, { inventorySystemId, storeId, externalStoreId: 's' });
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
    response: null,
    message: null,
  } as const;
  return { attempts: [attempt], released: [], health: [] };
}
