import {
  COUNTED_DELIVERIES,
  countDeliveriesOfHour,
} from '../../src/console/sql/deliveries-of-hour';
import type { UserId } from '../../src/platform/ids';
import { FEW_STORES } from '../../src/users/sql/store-access';
import { insertUser } from '../../src/users/sql/users';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingEnded, readingOf } from '../support/rows-read';
import {
  createWebhookRows,
  type TestSubscription,
  type WebhookRows,
} from '../support/webhook-rows';

const MORE = COUNTED_DELIVERIES + 500;

let database: TestDatabase;
let rows: WebhookRows;
let owner: UserId;
let busy: TestSubscription;
let quiet: TestSubscription;
/** Linked to the owner's system and to somebody else's. */
let storeId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  rows = await createWebhookRows(sql);
  busy = await rows.subscribe({ url: 'https://hour.example/busy' });
  quiet = await rows.subscribe({ url: 'https://hour.example/quiet' });
  const [{ userId } = { userId: '' }] = await sql<{ userId: string }[]>`
    select created_by as user_id from inventory_system limit 1`;
  owner = userId as UserId;
  storeId = await addStore();
  await link(busy);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql`delete from ended_delivery`;
});

async function addStore(): Promise<number> {
  const [store] = await database.sql<{ storeId: number }[]>`
    with made as (
      insert into store (name, name_key, country_code) values ('S', 's', 'DE') returning store_id
    )
    insert into user_store (user_id, store_id) select ${owner}, store_id from made returning store_id`;
  return store?.storeId ?? Number.NaN;
}

async function link({ inventorySystemId }: { readonly inventorySystemId: string }) {
  await database.sql`
    insert into store_link (store_id, inventory_system_id, external_store_id)
    values (${storeId}::bigint, ${inventorySystemId}::uuid, 'ext')`;
}

/** Deliveries about the store that ended acknowledged, `perMinute` in each of these minutes ago. */
async function add(
  { subscriptionId, inventorySystemId }: Omit<TestSubscription, 'type' | 'secret'>,
  perMinute: number,
  minutes: readonly [from: number, to: number],
) {
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
      state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(random()::text), 20),
      ${subscriptionId}, ${inventorySystemId}::uuid, 2, ${storeId}::bigint, n, '{}', 'acknowledged', 1, 0, 'r', 'u',
      at, at, '{}'
    from generate_series(${minutes[0]}::int, ${minutes[1]}::int) as ago, generate_series(1, ${perMinute}::int) as n,
      lateral (select now() - ago * interval '1 min' - interval '30 s' as at) as times`;
}

/** What is counted, and how many rows of ended deliveries are read for it. */
async function count(seesAll: boolean) {
  await database.sql`analyze ended_delivery`;
  const viewer = { userId: owner, seesAll };
  const { value, rows: read } = await readingEnded(database.sql, (sql) =>
    countDeliveriesOfHour(sql, viewer),
  );
  const whole = value.find(({ ago }) => ago === null);
  return { rows: value, whole, read };
}

describe.each([
  ['operator', true],
  ['owner', false],
])('to an %s', (_, seesAll) => {
  test('all deliveries of the hour are counted up to the bound', async () => {
    await add(busy, 10, [0, 59]);
    const { whole, read } = await count(seesAll);
    expect(whole).toMatchObject({ ended: 600, made: 600, isCut: false });
    expect(read).toBeLessThanOrEqual(600);
  });

  test('past the bound the newest deliveries of every webhook come first, and no more than the bound are read', async () => {
    await add(busy, MORE, [20, 20]);
    await add(quiet, 7, [0, 9]);
    const { rows: minutes, whole, read } = await count(seesAll);
    expect(whole).toMatchObject({ ended: COUNTED_DELIVERIES, isCut: true });
    expect(minutes.slice(0, 10).map(({ ago, ended }) => [ago, ended])).toEqual(
      Array.from({ length: 10 }, (_each, ago) => [ago, 7]),
    );
    expect(read).toBeLessThanOrEqual(COUNTED_DELIVERIES);
  });

  test('waiting deliveries have a bound of their own', async () => {
    await add(busy, 5, [1, 1]);
    await database.sql`
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id, payload,
        payload_bytes, request_id, user_id, created_at)
      select delivery_id || n, 'msg', subscription_id, inventory_system_id, type, store_id,
        '{}', 2, 'r', 'u', created_at
      from (select * from ended_delivery limit 1) as one, generate_series(1, ${MORE}::int) as n`;
    const { whole } = await count(seesAll);
    expect(whole).toMatchObject({ waiting: COUNTED_DELIVERIES, ended: 5, isCut: true });
    await database.sql`delete from delivery`;
  });
});

test('a delivery to an own webhook about an own store is counted once, and so are others about the store', async () => {
  const stranger = 'usr_stranger' as UserId;
  await insertUser(database.sql, { userId: stranger, name: 'stranger', permissions: [] });
  const foreign = await rows.subscribe({ url: 'https://hour.example/foreign' });
  await database.sql`
    update inventory_system set created_by = ${stranger}
    where inventory_system_id = ${foreign.inventorySystemId}::uuid`;
  await link(foreign);
  await add(busy, 3, [0, 1]);
  await add(foreign, 4, [0, 1]);
  expect((await count(false)).whole).toMatchObject({ ended: 14, isCut: false });
  // All that is read counts for the bound: what comes twice would else be read without end.
  await add(busy, MORE / 2, [2, 2]);
  const { whole, read } = await count(false);
  expect(whole?.isCut).toBe(true);
  expect(read).toBeLessThanOrEqual(COUNTED_DELIVERIES);
  await database.sql`
    delete from store_link where inventory_system_id = ${foreign.inventorySystemId}::uuid`;
});

test('events that wait about a store are read up to the bound, and no more', async () => {
  const { subscriptionId, inventorySystemId } = quiet;
  await link(quiet);
  const stranger = 'usr_other' as UserId;
  await insertUser(database.sql, { userId: stranger, name: 'other', permissions: [] });
  await database.sql`
    update inventory_system set created_by = ${stranger}
    where inventory_system_id = ${inventorySystemId}::uuid`;
  await database.sql`
    insert into delivery (delivery_id, message_id, subscription_id, type, event_type, store_id, payload, payload_bytes,
      request_id, user_id, created_at)
    select 'dlv_' || lpad(n::text, 32, '0'), 'msg', ${subscriptionId}, 3, 'upload.ended', ${storeId}::bigint, '{}', 2, 'r',
      ${stranger}, now()
    from generate_series(1, ${MORE}::int) as n`;
  await database.sql`analyze delivery`;
  const { value, rows: read } = await readingOf('delivery', database.sql, (sql) =>
    countDeliveriesOfHour(sql, { userId: owner, seesAll: false }),
  );
  const whole = value.find(({ ago }) => ago === null);
  expect(whole).toMatchObject({ waiting: 0, isCut: true });
  expect(read).toBeLessThanOrEqual(COUNTED_DELIVERIES);
  await database.sql`delete from delivery`;
  await database.sql`
    delete from store_link where inventory_system_id = ${inventorySystemId}::uuid`;
  await database.sql`
    update inventory_system set created_by = ${owner}
    where inventory_system_id = ${inventorySystemId}::uuid`;
});

test('to a user of many stores everybody’s newest are looked at, and not each store', async () => {
  const chain = 'usr_chain' as UserId;
  await insertUser(database.sql, { userId: chain, name: 'chain', permissions: [] });
  await database.sql`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 'chain ' || n, 'DE' from generate_series(1, ${5 * FEW_STORES}::int) n returning store_id
    )
    insert into user_store (user_id, store_id)
    select ${chain}, store_id from made union all select ${chain}, ${storeId}::bigint`;
  await add(busy, 10, [0, 2]);
  await database.sql`update ended_delivery set store_id = null where sequence > 4`;
  await database.sql`analyze`;
  const { value, looks } = await readingEnded(database.sql, (sql) =>
    countDeliveriesOfHour(sql, { userId: chain, seesAll: false }),
  );
  expect(value.find(({ ago }) => ago === null)).toMatchObject({ ended: 12, isCut: false });
  expect(looks).toBeLessThan(FEW_STORES);
});
