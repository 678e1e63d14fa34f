import type { UserId } from '../../src/platform/ids';
import { FEW_STORES } from '../../src/users/sql/store-access';
import { listDeliveries, LOOKED_AT_BY_USER } from '../../src/webhooks/sql/delivery-lists';
import type { DeliveryFilter, DeliveryView } from '../../src/webhooks/sql/delivery-views';
import { READ_AT_ONCE, READ_FOR_A_PAGE } from '../../src/webhooks/sql/delivery-walk';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { createWebhookRows, type TestSubscription } from '../support/webhook-rows';

/** Ten a second over 100 minutes. */
const FLOOD = 60_000;
const MOST_READ = READ_FOR_A_PAGE + 2 * READ_AT_ONCE;
const AGO = ['1 min', '1 h', '73 h', '10 d'];
const LIMIT = 26;
const MANY = FEW_STORES + 1;
/**
 * Looks into each of many stores would be more: in the queue, and in the partitions. A page of the owner has up to 288,
 * 18 in each of its statements; how many these are depends on how long ago the flood was written.
 */
const MOST_LOOKS = 2 * MANY;

let database: TestDatabase;
let userId: UserId;
let userOfMany: UserId;
let storeId: number;

async function prepare() {
  database = await createTestDatabase();
  const { sql } = database;
  // It would write an event of each failure.
  await sql`alter table ended_delivery disable trigger ended_delivery_events`;
  const rows = await createWebhookRows(sql);
  const flooded = await rows.subscribe({ url: 'https://flood.example/a' });
  const quiet = await rows.subscribe({ url: 'https://flood.example/b', type: 1 });
  const stores = await sql<{ storeId: number; userId: UserId }[]>`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 'store ' || n, 'DE' from generate_series(1, ${MANY}::int) n returning store_id
    ), many as (
      insert into app_user (user_id, name) values ('usr_many', 'Many') returning user_id
    ), had as (
      insert into user_store (user_id, store_id) select user_id, store_id from made, many
    )
    insert into user_store (user_id, store_id)
    select created_by, store_id from (select * from made order by store_id limit 1) as one,
      (select created_by from inventory_system limit 1) as owner
    returning store_id, user_id`;
  const [store] = stores;
  if (!store) throw new Error('no store');
  ({ userId, storeId } = store);
  userOfMany = 'usr_many' as UserId;
  return { flooded, quiet };
}

interface Kind {
  readonly to: TestSubscription;
  readonly type: number;
  /** Of one that has ended; without, it waits. */
  readonly state?: string;
}

/** Deliveries of this kind, one for each 0.1 s back from `ago`. */
async function add({ to, type, state }: Kind, count: number, ago: string) {
  const { sql } = database;
  const system = type === 3 ? null : to.inventorySystemId;
  const event = type === 3 ? 'upload.ended' : null;
  const id = sql`'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(random()::text), 20)`;
  const times = sql`generate_series(1, ${count}::int) n,
    lateral (select now() - ${ago}::interval - n * interval '0.1 s' as at) as times`;
  await (state === undefined
    ? sql`
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id,
        payload, payload_bytes, request_id, user_id, created_at)
      select ${id}, 'msg', ${to.subscriptionId}, ${system}::uuid, ${type}::smallint, ${event}::text,
        ${storeId}::bigint, '{}', 2, 'r', 'u', at
      from ${times}`
    : sql`
      insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, event_type, store_id,
        sequence, payload, state, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at,
        attempts)
      select ${id}, ${to.subscriptionId}, ${system}::uuid, ${type}::smallint, ${event}::text, ${storeId}::bigint,
        n, '{}', ${state}, 1, 0, 'r', 'u', at, at, '{}'
      from ${times}`);
}

/** All pages of a list; none may read more than the bound, or look into each of many stores. */
async function readAll(seesAll: boolean, user: UserId, filter: DeliveryFilter, most = MOST_READ) {
  const found: DeliveryView[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < 100; pages += 1) {
    const page = { ...filter, limit: LIMIT, ...(before ? { before } : {}) };
    const {
      value,
      rows: read,
      looks,
    } = await readingOf('%delivery%', database.sql, (sql) =>
      listDeliveries(sql, { userId: user, seesAll }, page),
    );
    expect(read).toBeLessThanOrEqual(most);
    expect(looks).toBeLessThan(MOST_LOOKS);
    found.push(...value.rows);
    const next =
      value.rows.length === LIMIT ? value.rows.at(-1)?.deliveryId : value.continuesBehind;
    if (!next) return found.map(({ deliveryId }) => deliveryId);
    before = next;
  }
  throw new Error('the list does not end');
}

async function newestOf(kind: 'message' | 'event', to: TestSubscription, state: string) {
  const rows = await database.sql<{ deliveryId: string }[]>`
    select delivery_id from any_delivery
    where subscription_id = ${to.subscriptionId} and state = ${state}
      and (type = 3) = ${kind === 'event'}
    order by delivery_id desc`;
  return rows.map(({ deliveryId }) => deliveryId);
}

const VIEWERS: [string, () => { seesAll: boolean; user: UserId; most: number }][] = [
  ['an operator', () => ({ seesAll: true, user: userId, most: MOST_READ })],
  ['the owner', () => ({ seesAll: false, user: userId, most: MOST_READ })],
  [
    'a user of many stores',
    () => ({ seesAll: false, user: userOfMany, most: MOST_READ + 4 * LOOKED_AT_BY_USER }),
  ],
];

describe('beside a webhook whose receiver is down', () => {
  let quiet: TestSubscription;
  beforeAll(async () => {
    const made = await prepare();
    quiet = made.quiet;
    await add({ to: made.flooded, type: 2 }, FLOOD, '0 s');
    await add({ to: made.flooded, type: 2, state: 'exhausted' }, FLOOD, '3 d');
    for (const ago of AGO) {
      await add({ to: quiet, type: 1 }, 1, ago);
      await add({ to: quiet, type: 1, state: 'exhausted' }, 1, ago);
    }
    await database.sql`analyze`;
  });
  afterAll(() => database.drop());

  describe.each(['pending', 'exhausted'] as const)('of what is %s', (state) => {
    test.each(VIEWERS)('%s finds the few of a type or of a system', async (_, viewer) => {
      const { seesAll, user, most } = viewer();
      const few = await newestOf('message', quiet, state);
      expect(few).toHaveLength(AGO.length);
      for (const filter of [{ type: 1 }, { inventorySystemId: quiet.inventorySystemId }] as const) {
        expect(await readAll(seesAll, user, { events: false, state, ...filter }, most)).toEqual(
          few,
        );
      }
    });
  });
});

describe('beside many events', () => {
  let quiet: TestSubscription;
  beforeAll(async () => {
    const { flooded, quiet: to } = await prepare();
    quiet = to;
    await add({ to: flooded, type: 3, state: 'delivered' }, FLOOD, '0 s');
    await add({ to: flooded, type: 3 }, FLOOD, '0 s');
    for (const ago of AGO) {
      await add({ to: quiet, type: 1, state: 'delivered' }, 1, ago);
      await add({ to: quiet, type: 1 }, 1, ago);
    }
    await database.sql`analyze`;
  });
  afterAll(() => database.drop());

  test.each(VIEWERS)('%s finds the few messages', async (_, viewer) => {
    const { seesAll, user, most } = viewer();
    const [delivered, pending] = [
      await newestOf('message', quiet, 'delivered'),
      await newestOf('message', quiet, 'pending'),
    ];
    const both = [...delivered, ...pending].toSorted().toReversed();
    expect(await readAll(seesAll, user, { events: false }, most)).toEqual(both);
    for (const [state, few] of [
      ['delivered', delivered],
      ['pending', pending],
    ] as const) {
      expect(await readAll(seesAll, user, { events: false, state }, most)).toEqual(few);
    }
  });

  test('an operator finds the events without reading further than a page', async () => {
    const page = { events: true, state: 'pending', limit: LIMIT } as const;
    const { value, rows } = await readingOf('%delivery%', database.sql, (sql) =>
      listDeliveries(sql, { userId, seesAll: true }, page),
    );
    expect(value.rows).toHaveLength(LIMIT);
    expect(rows).toBeLessThanOrEqual(2 * LIMIT);
  });
});
