import type { UserId } from '../../src/platform/ids';
import { FEW_STORES } from '../../src/users/sql/store-access';
import { listDeliveries, LOOKED_AT_BY_USER } from '../../src/webhooks/sql/delivery-lists';
import type { DeliveryFilter } from '../../src/webhooks/sql/delivery-views';
import { countResendable, resendBatch, type ResendScope } from '../../src/webhooks/sql/resends';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingEnded } from '../support/rows-read';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

/** And one in a hundred in a rare state instead. */
const ACKNOWLEDGED = 4_000;
/** Of each of the rare states. */
const RARE = 10;
const RARE_STATES = ['delivered', 'refused', 'exhausted', 'discarded'] as const;

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
  // One in a rare state among a hundred that were acknowledged.
  await database.sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
      state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0'),
      ${subscription.subscriptionId}, ${subscription.inventorySystemId}::uuid, 2, ${store?.storeId ?? 0}, n, '{}',
      case when n % 100 > 0 then 'acknowledged'
        else (${[...RARE_STATES]}::text[])[1 + n / 100 % ${RARE_STATES.length}::int] end,
      1, 0, 'r', 'u', at, at, '{}'
    from generate_series(1, ${ACKNOWLEDGED}::int) n,
      lateral (select now() - n * interval '1 s' as at) as times`;
  await rows.put(subscription, 5);
  await database.sql`analyze`;
});
afterAll(() => database.drop());

function list(seesAll: boolean, filter: Partial<DeliveryFilter> & { before?: string }) {
  return readingEnded(database.sql, (sql) =>
    listDeliveries(sql, { userId, seesAll }, { events: false, limit: 50, ...filter }),
  );
}

function resendOf(seesAll: boolean, state?: DeliveryFilter['state']): ResendScope {
  const endedBefore = Date.now() + 60_000;
  return {
    viewer: { userId, seesAll },
    filter: { events: false, ...(state && { state }) },
    endedBefore,
  };
}

/** The result of a list, and how often and for how many rows it reads ended deliveries. */
async function look(seesAll: boolean, state: NonNullable<DeliveryFilter['state']>) {
  const {
    value: { rows: value },
    ...read
  } = await list(seesAll, { state });
  expect(value.filter((each) => each.state !== state)).toEqual([]);
  return { found: value.length, ...read };
}

describe.each([
  ['operator', true],
  ['owner', false],
])('to an %s', (_, seesAll) => {
  test.each(RARE_STATES)('a list of what was %s reads nothing else', async (state) => {
    const { found, rows } = await look(seesAll, state);
    expect(found).toBe(RARE);
    // The day and then all, by webhook and by store.
    expect(rows).toBeLessThanOrEqual(4 * RARE);
  });

  test.each(RARE_STATES)('counting what was %s for a resend reads nothing else', async (state) => {
    const { value, rows } = await readingEnded(database.sql, (sql) =>
      countResendable(sql, resendOf(seesAll, state), subscription.subscriptionId, {
        after: '',
        limit: 2 * RARE,
      }),
    );
    expect(value).toEqual({ count: RARE, last: null });
    expect(rows).toBeLessThanOrEqual(RARE);
  });

  test.each([undefined, ...RARE_STATES])(
    'a count for a resend of what was %s reads no more at once than it may, and continues there',
    async (state) => {
      const scope = resendOf(seesAll, state);
      const count = (after: string, limit: number) =>
        readingEnded(database.sql, (sql) =>
          countResendable(sql, scope, subscription.subscriptionId, { after, limit }),
        );
      const first = await count('', 4);
      expect(first.value).toEqual({ count: 4, last: expect.any(String) });
      expect(first.rows).toBeLessThanOrEqual(2 * 4);
      const rest = await count(first.value.last ?? '', 1_000_000);
      const { value: all } = await count('', 1_000_000);
      expect(rest.value).toEqual({ count: all.count - 4, last: null });
    },
  );

  test('a list of what waits does not look into what has ended', async () => {
    expect(await look(seesAll, 'pending')).toMatchObject({ found: 5, looks: 0, rows: 0 });
  });
});

describe('to a user of many stores', () => {
  beforeAll(async () => {
    await database.sql`
      with made as (
        insert into store (name, name_key, country_code)
        select 'S', 'many ' || n, 'DE' from generate_series(1, ${FEW_STORES}::int) n returning store_id
      )
      insert into user_store (user_id, store_id) select ${userId}, store_id from made`;
  });

  test('a page that is full of what is newest of all is found there', async () => {
    for (const type of [undefined, 2] as const) {
      const filter = type === undefined ? {} : { type };
      const { value, rows } = await list(false, filter);
      expect(value).toEqual((await list(true, filter)).value);
      expect(rows).toBeLessThanOrEqual(200);
      const before = value.rows.at(-1)?.deliveryId ?? '';
      const next = await list(false, { ...filter, before });
      expect(next.value).toEqual((await list(true, { ...filter, before })).value);
      expect(next.rows).toBeLessThanOrEqual(200);
    }
  });

  test.each([...RARE_STATES, 'pending'] as const)(
    'what is not among them is still found: %s',
    async (state) => {
      expect((await list(false, { state })).value).toEqual((await list(true, { state })).value);
    },
  );

  test('among the deliveries of others nothing is seen, and what is behind the bound is still found', async () => {
    const stranger = { userId: 'usr_stranger' as UserId, seesAll: false };
    await database.sql`
      insert into app_user (user_id, name) values (${stranger.userId}, 'Stranger')`;
    const [store] = await database.sql<{ storeId: number }[]>`
      with made as (
        insert into store (name, name_key, country_code)
        select 'S', 'strange ' || n, 'DE' from generate_series(0, ${FEW_STORES}::int) n returning store_id
      )
      insert into user_store (user_id, store_id) select ${stranger.userId}, store_id from made
      returning store_id`;
    const listOfStranger = () =>
      readingEnded(database.sql, (sql) =>
        listDeliveries(sql, stranger, { events: false, limit: 50 }),
      );
    const { value, rows } = await listOfStranger();
    expect(value).toEqual({ rows: [], continuesBehind: null });
    // Of the day and of all, each twice.
    expect(rows).toBeLessThanOrEqual(4 * ACKNOWLEDGED);
    // The one of the stranger is behind more than are looked at.
    const oldest = 'dlv_0';
    await database.sql`
      insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
        state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
      select ${oldest} || to_hex(n), subscription_id, inventory_system_id, 2,
        case when n = 1 then ${store?.storeId ?? 0}::bigint else store_id end, n, '{}', 'acknowledged', 1, 0, 'r', 'u',
        now() - interval '2 d', now() - interval '2 d', '{}'
      from generate_series(1, ${LOOKED_AT_BY_USER}::int) n, (select * from ended_delivery limit 1) as like_this`;
    const behind = await listOfStranger();
    expect(behind.value.rows.map(({ deliveryId }) => deliveryId)).toEqual([`${oldest}1`]);
  });
});

test('a batch of a resend reads little more than what it sends', async () => {
  const { subscriptionId } = subscription;
  const { value, rows } = await readingEnded(database.sql, (sql) =>
    resendBatch(sql, resendOf(false, 'exhausted'), subscriptionId, {
      after: '',
      upTo: null,
      limit: RARE / 2,
    }),
  );
  expect(value).toHaveLength(RARE / 2);
  // Each is chosen, locked and removed.
  expect(rows).toBeLessThanOrEqual(3 * RARE);
});
