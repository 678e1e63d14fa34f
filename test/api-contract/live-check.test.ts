import { createToken, createUser } from '../../src/admin/users';
import { createCaller, type TestCaller } from '../support/api';
import { undescribed } from '../support/openapi-reader';
import type { Shop } from '../support/shop';
import { startSystem, stopSystems, type SharedSystem } from '../support/system';

let system: SharedSystem;
let owner: TestCaller;

beforeAll(async () => {
  system = await startSystem();
  owner = createCaller(system.apiUrl(), '', system.token);
});
afterAll(stopSystems);

const check = (shop: Pick<Shop, 'storeId' | 'integrationId'>, caller = owner) =>
  caller.post('/menus/live/check', {
    store_id: shop.storeId,
    integration_id: String(shop.integrationId),
  });
const refusal = (sentence: string) => ({
  status: 409,
  json: { message: [sentence], data: null },
});

/** The payload that the app shows, with another name for an item. */
async function renamed(shop: Shop, from: string, to: string): Promise<unknown> {
  return JSON.parse(JSON.stringify(await shop.payload()).replaceAll(from, to));
}

test('a menu changed in the app is detected, with its changes, until it is right again', async () => {
  const shop = await system.openShop('app-a');
  const { uploadId } = await shop.upload(1);
  const same = await check(shop);
  expect(same.status).toBe(200);
  expect(undescribed('checkLiveMenu', same)).toEqual([]);
  expect(same.json.data).toMatchObject({
    upload_id: uploadId,
    drift: { state: 'same', changes_count: 0, checked_at: expect.any(String) },
    changes: [],
  });

  const sent = await shop.payload();
  await shop.showInstead(await renamed(shop, 'Water', 'Sparkling water'));
  const changed = await check(shop);
  expect(undescribed('checkLiveMenu', changed)).toEqual([]);
  expect(changed.json.data).toMatchObject({
    drift: { state: 'changed', changes_count: 1 },
    changes: [
      {
        op: 'changed',
        kind: 'item',
        external_id: 'I2',
        field: 'name',
        before: 'Water',
        after: 'Sparkling water',
      },
    ],
  });
  const live = await owner.get(`/menus/live?store_id=${shop.storeId}`);
  expect(live.json.data[0].drift).toMatchObject({ state: 'changed', changes_count: 1 });

  await shop.showInstead(sent);
  expect((await check(shop)).json.data.drift.state).toBe('same');
});

test('App C is read too, and not again for a minute', async () => {
  const shop = await system.openShop('app-c');
  await shop.upload(1);
  await shop.showInstead(await renamed(shop, 'Water', 'Sparkling water'));
  expect((await check(shop)).json.data).toMatchObject({
    drift: { state: 'changed', changes_count: 1 },
    changes: [{ op: 'changed', kind: 'item', field: 'name', after: 'Sparkling water' }],
  });
  const [row] = await system.sql<{ isSpaced: boolean }[]>`
    select next_read_at > now() + interval '30 s' as is_spaced from publication
    where store_id = ${shop.storeId}::bigint`;
  expect(row).toEqual({ isSpaced: true });
});

test('a menu removed in the app is a change of everything', async () => {
  const shop = await system.openShop('app-a');
  await shop.upload(1);
  await shop.showInstead(null);
  const { data } = (await check(shop)).json;
  expect(data.drift.state).toBe('changed');
  expect(data.changes.map(({ op }: { op: string }) => op)).not.toContain('added');
});

test('an app that does not answer leaves the menu unread', async () => {
  const shop = await system.openShop('app-a');
  await shop.upload(1);
  await shop.fault({ kind: 'status', status: 503, route: 'read', times: 100 });
  const { status, json } = await check(shop);
  expect([status, json.data.drift.state, json.data.changes]).toEqual([200, 'unreadable', []]);
});

test('a new menu has not been read', async () => {
  const shop = await system.openShop('app-a');
  await shop.upload(1);
  await check(shop);
  await shop.upload(2);
  const live = await owner.get(`/menus/live?store_id=${shop.storeId}`);
  expect(live.json.data[0].drift).toEqual({
    state: 'unknown',
    checked_at: null,
    changes_count: null,
  });
});

test('only live menus in readable apps are read', async () => {
  const shop = await system.openShop('app-a');
  expect(await check(shop)).toMatchObject(refusal('No menu is live in this delivery.'));
  const other = await system.openShop('app-b');
  expect(await check(other)).toMatchObject(refusal('This delivery cannot be read back.'));
  expect(await check({ ...shop, integrationId: 999_999 })).toMatchObject(
    refusal('Integration not available.'),
  );
  const { sql } = system;
  const key = shop.storeId;
  await sql`update store_integration set delivery_id = null where store_id = ${key}::bigint`;
  expect(await check(shop)).toMatchObject(
    refusal('This store does not have the store delivery id.'),
  );
  await sql`update integration set client_id = null where integration_id = ${shop.integrationId}::bigint`;
  expect(await check(shop)).toMatchObject(
    refusal('Microservice does not have this integration configured.'),
  );
  await sql`update store_integration set credential_encrypted = null where store_id = ${key}::bigint`;
  expect(await check(shop)).toMatchObject(
    refusal('This store does not have a token for this delivery.'),
  );
  const { user_id: userId } = await createUser({ sql }, { name: 'Stranger', permissions: [] });
  const { token } = await createToken({ sql }, { userId, expiresInSeconds: null });
  const stranger = createCaller(system.apiUrl(), userId, token);
  expect(await check(shop, stranger)).toMatchObject(
    refusal("You don't have this store available."),
  );
});
