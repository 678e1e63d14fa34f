import type { Sql } from '../../src/platform/db/client';
import type { UserId } from '../../src/platform/ids';
import { type DeliveryFilter, listDeliveries } from '../../src/webhooks/sql/delivery-views';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

const ARRIVED = 3_000;
const FAILED = 30;

let database: TestDatabase;
let userId: UserId;
let subscription: TestSubscription;

beforeAll(async () => {
  database = await createTestDatabase();
  const rows = await createWebhookRows(database.sql);
  subscription = await rows.subscribe({ url: 'https://lists.example/' });
  const [owner] = await database.sql<{ userId: UserId }[]>`
    select created_by as user_id from inventory_system`;
  userId = owner?.userId ?? ('' as UserId);
  const [store] = await database.sql<{ storeId: number }[]>`
    with made as (
      insert into store (name, name_key, country_code) values ('S', 's', 'DE') returning store_id
    )
    insert into user_store (user_id, store_id) select ${userId}, store_id from made
    returning store_id`;
  // A failure of another kind among a hundred that arrived.
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
      state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0'),
      ${subscription.subscriptionId}, ${subscription.inventorySystemId}::uuid, 2, ${store?.storeId ?? 0}, n, '{}',
      case when n % 100 > 0 then 'acknowledged'
        else (array['refused', 'exhausted', 'discarded'])[1 + n / 100 % 3] end,
      1, 0, 'r', 'u', at, at, '{}'
    from generate_series(1, ${ARRIVED + FAILED}::int) n,
      lateral (select now() - n * interval '1 s' as at) as times`;
  await rows.put(subscription, 5);
  await database.sql`analyze`;
});
afterAll(() => database.drop());

/** The result of a list, and how often and for how many rows it reads ended deliveries. */
async function look(seesAll: boolean, state: NonNullable<DeliveryFilter['state']>) {
  return database.sql.begin(async (tx) => {
    const count = async () => {
      const [row] = await tx<{ looks: number; rows: number }[]>`
        select sum(coalesce(idx_scan, 0) + seq_scan)::int as looks,
          sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows
        from pg_stat_xact_user_tables where relname like 'ended\\_delivery%'`;
      return row ?? { looks: Number.NaN, rows: Number.NaN };
    };
    const before = await count();
    const page = { events: false, limit: 50, state };
    const found = await listDeliveries(tx as Sql, { userId, seesAll }, page);
    const after = await count();
    expect(found.filter((each) => each.state !== state)).toEqual([]);
    return {
      found: found.length,
      looks: after.looks - before.looks,
      rows: after.rows - before.rows,
    };
  });
}

describe.each([
  ['operator', true],
  ['owner', false],
])('to an %s', (_, seesAll) => {
  test.each(['refused', 'exhausted', 'discarded'] as const)(
    'a list of what was %s reads nothing that arrived',
    async (state) => {
      const { found, rows } = await look(seesAll, state);
      expect(found).toBe(FAILED / 3);
      // The day and then all, by webhook and by store: each time every failure at most.
      expect(rows).toBeLessThanOrEqual(4 * FAILED);
    },
  );

  test('a list of what waits does not look into what has ended', async () => {
    expect(await look(seesAll, 'pending')).toEqual({ found: 5, looks: 0, rows: 0 });
  });
});
