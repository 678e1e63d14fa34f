import { listTimelineKeys } from '../../src/timeline/sql/timeline';
import { startTestApi, type TestApi } from '../support/api';
import { readingOf } from '../support/rows-read';
import { startRollout } from '../support/rollouts';
import { type Entry, only, openShop } from './timeline-shop';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '0s', UPLOAD_WAIT: '0s' });
});
afterAll(() => api.stop());

test('operators and support see who did it, others only themselves', async () => {
  const shop = await openShop(api);
  await shop.rows.insert();
  const { userId } = shop.rows;
  for (const permission of ['operator', 'support'] as const) {
    const entry = only(await shop.timeline('', await api.user(permission)), 'upload');
    expect(entry.by).toEqual({ user_id: userId, name: 'A user' });
  }
  expect(only(await shop.timeline(), 'upload').by).toBeNull();
});

test('pages of any size neither skip nor repeat, also where all happened at once', async () => {
  const shop = await openShop(api);
  for (let made = 0; made < 7; made++) await shop.rows.insert();
  await shop.owner.post(`/store/${shop.storeId}/pause`, {});
  await shop.owner.post(`/store/${shop.storeId}/resume`, {});
  await startRollout(shop.owner, 1, [
    { store_id: shop.storeId, integration_id: shop.integrationId },
  ]);
  const at = '2026-11-20T10:00:00.123456Z';
  await api.sql`update menu_upload set created_at = ${at}::timestamptz
    where store_id = ${shop.storeId}::bigint`;
  await api.sql`update availability_change set created_at = ${at}::timestamptz
    where store_id = ${shop.storeId}::bigint`;
  const whole = await shop.timeline('?limit=100');
  expect(whole).toHaveLength(11);
  for (const limit of [1, 2, 3, 10]) {
    const walked: Entry[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await shop.owner.get(
        `/store/${shop.storeId}/timeline?limit=${limit}${query}`,
      );
      walked.push(...json.data);
      cursor = json.next_cursor;
    }
    expect(walked).toEqual(whole);
  }
});

test('since is inclusive, until exclusive, both with an offset', async () => {
  const shop = await openShop(api);
  const uploadId = await shop.rows.insert();
  await api.sql`update menu_upload set created_at = '2026-11-20T10:00:00Z'::timestamptz
    where upload_id = ${uploadId}`;
  const count = async (query: string) => (await shop.timeline(query)).length;
  expect(await count('?since=2026-11-20T10:00:00Z')).toBe(1);
  expect(await count('?since=2026-11-20T11:00:00%2B01:00')).toBe(1);
  expect(await count('?since=2026-11-20T10:00:00.001Z')).toBe(0);
  expect(await count('?until=2026-11-20T10:00:00Z')).toBe(0);
  expect(await count('?until=2026-11-20T10:00:00.001Z')).toBe(1);
  expect(await count('?since=2026-11-20T10:00:00Z&until=2026-11-20T10:00:01Z')).toBe(1);
  // Years that Postgres would not read as JavaScript writes them.
  expect(await count('?until=0000-01-01T00:00:00Z')).toBe(0);
  expect(await count('?since=9999-12-31T23:59:59-23:00')).toBe(0);
});

test.each([
  ['since=yesterday', { since: ['The since format is invalid.'] }],
  ['since=', { since: ['The since format is invalid.'] }],
  ['since=2026-11-20T10:00:00', { since: ['The since format is invalid.'] }],
  ['until=2026-02-30T10:00:00Z', { until: ['The until format is invalid.'] }],
  ['limit=0', { limit: ['The selected limit is invalid.'] }],
  ['limit=x', { limit: ['The limit must be a number.'] }],
  ['cursor=AAAA', { cursor: ['The selected cursor is invalid.'] }],
])('?%s is refused', async (query, fields) => {
  const shop = await openShop(api);
  const { status, json } = await shop.owner.get(`/store/${shop.storeId}/timeline?${query}`);
  expect([status, json]).toEqual([422, fields]);
});

test('another user’s store is a 409, and one that does not exist a 404', async () => {
  const shop = await openShop(api);
  const stranger = await api.user();
  expect(await stranger.get(`/store/${shop.storeId}/timeline`)).toMatchObject({
    status: 409,
    json: { message: ["You don't have this store available."] },
  });
  expect((await stranger.get('/store/999999999/timeline')).status).toBe(404);
});

test('a page reads what it shows, however much there is', async () => {
  const shop = await openShop(api);
  const uploadId = await shop.rows.insert();
  const { storeId } = shop;
  await api.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      finished_at, created_at)
    select 'upl_many' || lpad(n::text, 28, '0'), store_id, integration_id, -n, user_id, request_id, document_sha256,
      'uploaded', now(), now() - n * interval '1 minute'
    from menu_upload, generate_series(1, 5000) as n where upload_id = ${uploadId}`;
  await api.sql`
    insert into ended_delivery (delivery_id, subscription_id, user_id, store_id, sequence, created_at, finished_at,
      attempts_made, attempts_before_resend, type, state, request_id, attempts, payload)
    select 'dlv_' || lpad(n::text, 32, '0'), 'sub_none', ${shop.owner.userId}, ${storeId}::bigint, n,
      now() - n * interval '1 s', now() - n * interval '1 s', 1, 0, 2,
      case when n % 100 = 0 then 'refused' else 'acknowledged' end, 'r', '{}', '{}'
    from generate_series(1, 20000) as n`;
  const { rows, value } = await readingOf('%', api.sql, (sql) =>
    listTimelineKeys(sql, { storeId, limit: 26 }),
  );
  expect(value).toHaveLength(26);
  expect(rows).toBeLessThan(300);
});
