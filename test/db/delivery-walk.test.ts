import { isId, type UserId } from '../../src/platform/ids';
import { listDeliveries } from '../../src/webhooks/sql/delivery-lists';
import { READ_AT_ONCE, READ_FOR_A_PAGE } from '../../src/webhooks/sql/delivery-walk';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingEnded } from '../support/rows-read';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

/** Two a second over seven hours, and then 20,000 at once, all `delivered`. */
const STEADY = 50_000;
const BURST = 20_000;
/** An owner's are read by webhook and by store, and some parts again. */
const MOST_PAGES = (3 * (STEADY + BURST)) / READ_FOR_A_PAGE;

let database: TestDatabase;
let userId: UserId;
let storeId: number;
let subscription: TestSubscription;
/** Those that were acknowledged, newest first. */
let few: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const rows = await createWebhookRows(database.sql);
  subscription = await rows.subscribe({ url: 'https://walk.example/' });
  await rows.subscribe({ url: 'https://walk.example/another' });
  const [store] = await database.sql<{ storeId: number; userId: UserId }[]>`
    with made as (
      insert into store (name, name_key, country_code) values ('S', 's', 'DE') returning store_id
    )
    insert into user_store (user_id, store_id)
    select created_by, store_id from made, inventory_system limit 1
    returning store_id, user_id`;
  if (!store) throw new Error('no store');
  ({ storeId, userId } = store);
  await add('delivered', STEADY, '0.5 s');
  await add('delivered', BURST, '0.1 ms', '3 h');
  for (const ago of ['1 min', '2 h', '3 h', '6 h', '20 d']) {
    await add('acknowledged', 1, '1 s', ago);
  }
  await database.sql`analyze`;
  const found = await database.sql<{ deliveryId: string }[]>`
    select delivery_id from ended_delivery where state = 'acknowledged' order by delivery_id desc`;
  few = found.map(({ deliveryId }) => deliveryId);
});
afterAll(() => database.drop());

/** Ended deliveries, one for each `step` back from `ago`. */
async function add(state: string, count: number, step: string, ago = '0 s') {
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
      state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(random()::text), 20),
      ${subscription.subscriptionId}, ${subscription.inventorySystemId}::uuid, 2, ${storeId}::bigint, n, '{}',
      ${state}, 1, 0, 'r', 'u', at, at, '{}'
    from generate_series(1, ${count}::int) n,
      lateral (select now() - ${ago}::interval - n * ${step}::interval as at) as times`;
}

describe.each([
  ['operator', true],
  ['owner', false],
])('to an %s', (_, seesAll) => {
  test.each([1, 2, 26])(
    'the few that match are found page by page, and no page reads more than the bound (limit %p)',
    async (limit) => {
      const found: string[] = [];
      let emptyPages = 0;
      for (let before: string | undefined; ;) {
        const page = { events: false, state: 'acknowledged', limit } as const;
        const { value, rows: read } = await readingEnded(database.sql, (sql) =>
          listDeliveries(sql, { userId, seesAll }, { ...page, ...(before ? { before } : {}) }),
        );
        expect(read).toBeLessThanOrEqual(READ_FOR_A_PAGE + 3 * READ_AT_ONCE);
        const ids = value.rows.map(({ deliveryId }) => deliveryId);
        found.push(...ids);
        if (ids.length === 0) emptyPages += 1;
        const next = ids.length === limit ? ids.at(-1) : value.continuesBehind;
        if (!next) break;
        // Any of them is a cursor.
        expect(isId('dlv', next)).toBe(true);
        expect(next < (before ?? 'dlw')).toBe(true);
        before = next;
      }
      expect(found).toEqual(few);
      expect(emptyPages).toBeLessThan(MOST_PAGES);
    },
  );

  test('many that match fill a page from the newest of them', async () => {
    const { value, rows: read } = await readingEnded(database.sql, (sql) =>
      listDeliveries(sql, { userId, seesAll }, { events: false, type: 2, limit: 51 }),
    );
    const newest = await database.sql<{ deliveryId: string }[]>`
      select delivery_id from ended_delivery order by delivery_id desc limit 51`;
    expect(value.rows.map(({ deliveryId }) => deliveryId)).toEqual(
      newest.map(({ deliveryId }) => deliveryId),
    );
    expect(value.continuesBehind).toBeNull();
    expect(read).toBeLessThan(1_000);
  });

  test('a filter that none matches ends at the beginning', async () => {
    const page = { events: true, type: 'upload.ended', limit: 26 } as const;
    let before: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const { rows, continuesBehind } = await listDeliveries(
        database.sql,
        { userId, seesAll },
        { ...page, ...(before ? { before } : {}) },
      );
      expect(rows).toEqual([]);
      if (continuesBehind === null) return;
      before = continuesBehind;
    }
    throw new Error('the walk does not end');
  });
});
