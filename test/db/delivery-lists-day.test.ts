import type { Sql } from '../../src/platform/db/client';
import type { UserId } from '../../src/platform/ids';
import { listDeliveries } from '../../src/webhooks/sql/delivery-lists';
import { countResendable, resendBatch } from '../../src/webhooks/sql/resends';
import {
  COUNTED_DELIVERIES,
  listSubscriptionHealth,
} from '../../src/webhooks/sql/subscription-health';
import type { DeliveryFilter } from '../../src/webhooks/sql/delivery-views';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingEnded, readingOf } from '../support/rows-read';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

const OF_THE_DAY = 20_000;

let database: TestDatabase;
let userId: UserId;
let busy: TestSubscription;
let idle: TestSubscription;

describe.each([
  ['half of it exhausted', { each: 2, waiting: 0, analyzed: true }],
  ['all of it exhausted', { each: 1, waiting: 0, analyzed: true }],
  ['as many waiting at another webhook', { each: 2, waiting: OF_THE_DAY, analyzed: true }],
  ['the same, never analyzed', { each: 2, waiting: OF_THE_DAY, analyzed: false }],
])('a day of one webhook and one store, %s', (_name, { each, waiting, analyzed }) => {
  beforeAll(async () => {
    database = await createTestDatabase();
    const { sql } = database;
    const rows = await createWebhookRows(sql);
    busy = await rows.subscribe({ url: 'http://127.0.0.1/busy' });
    idle = await rows.subscribe({ url: 'http://127.0.0.1/idle' });
    const [store] = await sql<{ storeId: number; userId: UserId }[]>`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 'store ' || n, 'DE' from generate_series(1, 3) n returning store_id
    )
    insert into user_store (user_id, store_id)
    select created_by, store_id from made, (select created_by from inventory_system limit 1) as owner
    returning store_id, user_id`;
    if (!store) throw new Error('no store');
    userId = store.userId;
    await putEnded(sql, busy, { each, storeId: store.storeId, ageDays: 0 });
    await sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload, payload_bytes,
      request_id, user_id, created_at)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(random()::text), 20),
      'msg', ${idle.subscriptionId}, ${idle.inventorySystemId}::uuid, 2, null, '{}', 2, 'r', 'u', at
    from generate_series(1, ${waiting}::int) n, lateral (select now() - n * interval '0.1 s' as at) as times`;
    if (analyzed) await sql`analyze`;
  });
  afterAll(() => database.drop());

  // The statistics of such a day say that every row is of the webhook or store that is asked for.
  test.each<[string, Partial<DeliveryFilter>]>([
    ['no filter', {}],
    ['a type', { type: 2 }],
    ['a state', { state: 'exhausted' }],
  ])(
    'a page of a user who also has an idle webhook and idle stores does not read all of it: %s',
    async (_, filter) => {
      const { value, rows } = await readingOf('%delivery%', database.sql, (sql) =>
        listDeliveries(sql, { userId, seesAll: false }, { events: false, limit: 50, ...filter }),
      );
      const all = await listDeliveries(
        database.sql,
        { userId, seesAll: true },
        { events: false, limit: 50, ...filter },
      );
      expect(value.rows).toHaveLength(50);
      expect(value).toEqual(all);
      expect(rows).toBeLessThanOrEqual(300);
    },
  );

  test.each([
    ['an operator', true],
    ['a user', false],
  ])('a page of what was refused does not read what else has ended: %s', async (_, seesAll) => {
    const { value, rows } = await readingEnded(database.sql, (sql) =>
      listDeliveries(sql, { userId, seesAll }, { events: false, limit: 50, state: 'refused' }),
    );
    expect(value).toEqual({ rows: [], continuesBehind: null });
    expect(rows).toBe(0);
  });

  test('a page from the middle of it reads as little', async () => {
    const [middle] = await database.sql<{ id: string }[]>`
      select delivery_id as id from ended_delivery order by delivery_id offset ${OF_THE_DAY / 2}::int limit 1`;
    const page = { events: false, limit: 50, ...(middle && { before: middle.id }) };
    const { value, rows } = await readingOf('%delivery%', database.sql, (sql) =>
      listDeliveries(sql, { userId, seesAll: false }, page),
    );
    expect(value).toEqual(await listDeliveries(database.sql, { userId, seesAll: true }, page));
    expect(rows).toBeLessThanOrEqual(300);
  });

  test('the health of both webhooks reads what it counts', async () => {
    const systems = [busy.inventorySystemId, idle.inventorySystemId];
    const { value, rows } = await readingEnded(database.sql, (sql) =>
      listSubscriptionHealth(sql, systems),
    );
    expect(value).toHaveLength(2);
    expect(rows).toBeLessThanOrEqual(5 * COUNTED_DELIVERIES);
  });

  test('a resend to the idle webhook does not read what the busy one has', async () => {
    const viewer = { userId, seesAll: false };
    const scope = { viewer, filter: { events: false }, endedBefore: Date.now() + 60_000 };
    const few = { after: 'dlv', limit: 100 };
    const { value, rows } = await readingEnded(database.sql, async (sql) => ({
      counted: await countResendable(sql, scope, idle.subscriptionId, few),
      resent: await resendBatch(sql, scope, idle.subscriptionId, { ...few, upTo: null }),
    }));
    expect(value).toEqual({ counted: { count: 0, last: null }, resent: [] });
    expect(rows).toBe(0);
  });

  test('what is counted for a resend in a state without an index is read part by part', async () => {
    const viewer = { userId, seesAll: false };
    const filter = { events: false, state: 'acknowledged' } as const;
    const scope = { viewer, filter, endedBefore: Date.now() + 60_000 };
    const { value, rows } = await readingEnded(database.sql, (sql) =>
      countResendable(sql, scope, busy.subscriptionId, { after: 'dlv', limit: 1_000 }),
    );
    expect(value).toEqual({ count: 1_000 - 1_000 / each, last: expect.any(String) });
    expect(rows).toBeLessThanOrEqual(1_000);
  });
});

// An index condition that does not end the scan is not counted as rows: only the pages show it.
test('a page of a user whose deliveries are all older than a day does not pass over them', async () => {
  database = await createTestDatabase();
  try {
    const { sql } = database;
    const rows = await createWebhookRows(sql);
    busy = await rows.subscribe({ url: 'http://127.0.0.1/busy' });
    const [owner] = await sql<
      { userId: UserId }[]
    >`select created_by as user_id from inventory_system limit 1`;
    if (!owner) throw new Error('no owner');
    await putEnded(sql, busy, { each: 2, storeId: null, ageDays: 2 });
    const { value, pages } = await readingEnded(sql, (watched) =>
      listDeliveries(
        watched,
        { userId: owner.userId, seesAll: false },
        { events: false, limit: 50 },
      ),
    );
    expect(value.rows).toHaveLength(50);
    expect(pages).toBeLessThanOrEqual(150);
  } finally {
    await database.drop();
  }
});

/** Deliveries of a webhook that have ended now, one made each 0.1 s until some days ago; each `each`th is exhausted. */
async function putEnded(
  sql: Sql,
  { subscriptionId, inventorySystemId }: TestSubscription,
  { each, storeId, ageDays }: { each: number; storeId: number | null; ageDays: number },
): Promise<void> {
  await sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
      state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(random()::text), 20),
      ${subscriptionId}, ${inventorySystemId}::uuid, 2, ${storeId}::bigint, n, '{}',
      case when n % ${each}::int = 0 then 'exhausted' else 'acknowledged' end, 1, 0, 'r', 'u', at, now(), '{}'
    from generate_series(1, ${OF_THE_DAY}::int) n,
      lateral (select now() - ${ageDays}::int * interval '1 day' - n * interval '0.1 s' as at) as times`;
}
