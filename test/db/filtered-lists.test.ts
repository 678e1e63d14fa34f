import { listUnavailableItem } from '../../src/availability/sql/views';
import { listRolloutsOfRequest } from '../../src/rollouts/sql/rollouts';
import { searchStores } from '../../src/stores/sql/store-search';
import { listUploads } from '../../src/uploads/sql/upload-lists';
import type { UserId } from '../../src/platform/ids';
import type { Viewer } from '../../src/users/sql/users';
import { listDeliveries } from '../../src/webhooks/sql/delivery-lists';
import type { DeliveryFilter } from '../../src/webhooks/sql/delivery-views';
import { READ_AT_ONCE, READ_FOR_A_PAGE } from '../../src/webhooks/sql/delivery-walk';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingEnded, readingOf } from '../support/rows-read';
import { prepareUploadRows } from '../support/upload-rows';
import { createWebhookRows } from '../support/webhook-rows';

const STORES = 50;
/** Over 30 days, one a minute, in turn of the stores; and as many uploads. */
const MINUTES = 30 * 24 * 60;
const PER_DAY = 24 * 60;
const NAMED_STORES = 20_000;
const DAY_MS = 86_400_000;

const operator: Viewer = { userId: 'usr_operator' as UserId, seesAll: true };
const stranger: Viewer = { userId: 'usr_stranger' as UserId, seesAll: false };
let owner: Viewer;
let database: TestDatabase;
let storeIds: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  const rows = await createWebhookRows(sql);
  const subscription = await rows.subscribe({ url: 'https://filters.example/' });
  const uploadRows = await prepareUploadRows(sql);
  await uploadRows.insert();
  const made = await sql<{ storeId: number; userId: UserId }[]>`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 's ' || n, 'DE' from generate_series(1, ${STORES}::int) n returning store_id
    )
    insert into user_store (user_id, store_id)
    select created_by, store_id from made, inventory_system returning store_id, user_id`;
  storeIds = made.map(({ storeId }) => storeId);
  owner = { userId: made[0]?.userId as UserId, seesAll: false };
  await sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, store_id, sequence, payload,
      state, receiver_status, attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
    select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(n::text), 20),
      ${subscription.subscriptionId}, ${subscription.inventorySystemId}::uuid, 2,
      (${storeIds}::bigint[])[1 + n % ${STORES}::int], n,
      json_build_object('external_id', 'I' || n % 1000), 'acknowledged', 204, 1, 0, 'request-' || n / 2, 'u', at, at, '{}'
    from generate_series(1, ${MINUTES}::int) n, lateral (select now() - n * interval '1 min' as at) as times`;
  await sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      created_at, finished_at)
    select 'upl_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || left(md5(n::text), 20),
      ${uploadRows.key.storeId}::bigint, ${uploadRows.key.integrationId}::bigint, 1000000 - n, ${uploadRows.userId},
      'request-' || n / 2, (select sha256 from document limit 1), 'uploaded', at, at
    from generate_series(1, ${MINUTES}::int) n, lateral (select now() - n * interval '1 min' as at) as times`;
  await sql`
    insert into store (name, name_key, country_code)
    select name, lower(name), 'DE' from generate_series(1, ${NAMED_STORES}::int) n
      cross join lateral (select 'Filiale ' || n || case when n % 5000 = 7 then ' überall' else '' end as name) as named`;
  await sql`
    insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
    select ${uploadRows.key.storeId}::bigint, ${uploadRows.key.integrationId}::bigint, 'I' || n, true, false, 'avc_' || n
    from generate_series(1, 5000) n`;
  await sql`
    insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures, menu_count, sent_beside, counts)
    select 'rol_' || n, ${uploadRows.userId}, 'request-' || n, 1, 0, 1, '{}', '{}' from generate_series(1, 5000) n`;
  await sql.unsafe('analyze');
});
afterAll(() => database.drop());

function deliveries(viewer: Viewer, filter: Partial<DeliveryFilter>) {
  return readingEnded(database.sql, (sql) =>
    listDeliveries(sql, viewer, { events: false, limit: 26, ...filter }),
  );
}

function uploads(filter: Partial<Parameters<typeof listUploads>[2]>) {
  return readingOf('menu\\_upload', database.sql, (sql) =>
    listUploads(sql, operator, { limit: 26, ...filter }),
  );
}

function stores(text: string) {
  return readingOf('store', database.sql, (sql) =>
    searchStores(sql, operator, text, { limit: 26 }),
  );
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

describe.each(['operator', 'owner'])('deliveries to an %s', (who) => {
  const viewer = () => (who === 'operator' ? operator : owner);

  test('of a request: nothing else is read', async () => {
    const { value, rows } = await deliveries(viewer(), { requestId: 'request-20000' });
    expect(value.rows).toHaveLength(2);
    expect(value.continuesBehind).toBeNull();
    // The last day, then all, and how many there are.
    expect(rows).toBeLessThanOrEqual(10);
  });

  test('of a store: a page of it', async () => {
    const { value, rows } = await deliveries(viewer(), { storeId: storeIds[7] ?? 0 });
    expect(value.rows).toHaveLength(26);
    expect(rows).toBeLessThanOrEqual(4 * 26);
  });

  test('of an item in a store: what the store has', async () => {
    const filter = { storeId: storeIds[7] ?? 0, externalId: 'none' };
    const { value, rows } = await deliveries(viewer(), filter);
    expect(value).toEqual({ rows: [], continuesBehind: null });
    expect(rows).toBeLessThanOrEqual(8 * (MINUTES / STORES));
  });

  test('of an item anywhere: no more than a page may read', async () => {
    const { value, rows } = await deliveries(viewer(), { externalId: 'none' });
    expect(value.rows).toEqual([]);
    expect(value.continuesBehind).not.toBeNull();
    expect(rows).toBeLessThanOrEqual(READ_FOR_A_PAGE + 3 * READ_AT_ONCE);
  });

  test('of a day long ago: what was made then', async () => {
    const day = { since: daysAgo(20), until: daysAgo(19) };
    const full = await deliveries(viewer(), day);
    expect(full.value.rows).toHaveLength(26);
    expect(full.rows).toBeLessThanOrEqual(20 * 26);
    const { value, rows } = await deliveries(viewer(), { ...day, receiverStatus: 503 });
    expect(value).toEqual({ rows: [], continuesBehind: null });
    expect(rows).toBeLessThanOrEqual(6 * PER_DAY);
  });

  test('the pages of a time have each of it once', async () => {
    const filter = { since: daysAgo(20), until: daysAgo(19.5), externalId: 'I7' };
    const found: string[] = [];
    for (let before: string | undefined; ;) {
      const { value } = await deliveries(viewer(), { ...filter, ...(before && { before }) });
      found.push(...value.rows.map(({ deliveryId }) => deliveryId));
      if (value.continuesBehind === null) break;
      before = value.continuesBehind;
    }
    const all = await database.sql<{ id: string }[]>`
      select delivery_id as id from ended_delivery where payload ->> 'external_id' = 'I7'
        and created_at >= ${filter.since} and created_at < ${filter.until} order by 1 desc`;
    expect(found).toEqual(all.map(({ id }) => id));
  });
});

test('a stranger reads no more of a request or a store that is not theirs', async () => {
  for (const filter of [{ requestId: 'request-20000' }, { storeId: storeIds[7] ?? 0 }]) {
    const { value, rows } = await deliveries(stranger, filter);
    expect(value).toEqual({ rows: [], continuesBehind: null });
    expect(rows).toBeLessThanOrEqual(8 * (MINUTES / STORES));
  }
});

test('uploads of a request, and of a day long ago, are found without reading others', async () => {
  const ofRequest = await uploads({ requestId: 'request-20000' });
  expect(ofRequest.value.rows).toHaveLength(2);
  expect(ofRequest.rows).toBeLessThanOrEqual(10);
  const day = { since: daysAgo(20), until: daysAgo(19) };
  const full = await uploads(day);
  expect(full.value.rows).toHaveLength(26);
  expect(full.rows).toBeLessThanOrEqual(600);
  const none = await uploads({ ...day, state: 'canceled' });
  expect(none.value).toEqual({ rows: [], continuesBehind: null });
  expect(none.rows).toBeLessThanOrEqual(3 * PER_DAY);
});

test('the few stores that a name means are found by its parts', async () => {
  const few = await stores('uberall filiale');
  expect(few.value).toHaveLength(NAMED_STORES / 5_000);
  // The newest thousand, and those that have the parts.
  expect(few.rows).toBeLessThanOrEqual(1_100);
  const many = await stores('filiale');
  expect(many.value).toHaveLength(26);
  expect(many.rows).toBeLessThanOrEqual(1_100);
  expect((await stores('zz')).rows).toBeLessThanOrEqual(1_100);
});

test('an item off sale, and the rollouts of a request, are found without reading others', async () => {
  for (const viewer of [operator, owner]) {
    const { rows } = await readingOf('availability\\_mark', database.sql, (sql) =>
      listUnavailableItem(sql, viewer, 'I4000', 20),
    );
    expect(rows).toBeLessThanOrEqual(10);
    const rollouts = await readingOf('rollout', database.sql, (sql) =>
      listRolloutsOfRequest(sql, viewer, 'request-4000', 20),
    );
    expect(rollouts.rows).toBeLessThanOrEqual(2);
  }
});
