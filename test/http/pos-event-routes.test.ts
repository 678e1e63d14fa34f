import { startTestApi, type TestApi } from '../support/api';
import {
  createLinkedStore,
  createSystem,
  type LinkedStore,
  linkStore,
  manageWebhook,
  payloadsFor,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';

let api: TestApi;
let linked: LinkedStore;
beforeAll(async () => {
  api = await startTestApi({ ACK_WAIT: '0s' });
});
afterAll(() => api.stop());

let made = 0;
beforeEach(async () => {
  linked = await createLinkedStore(api, `System ${(made += 1)}`);
  await sendEvent(linked, 'stock', STOCK_EVENT);
});

const send = () => sendEvent(linked, 'stock', STOCK_EVENT);

test('a newly linked system gets the very next event', async () => {
  const other = await createSystem(linked.owner, `Other ${made}`);
  await manageWebhook(linked.owner, other, 2);
  await linkStore(linked.owner, other, linked.storeId, 'other-1');
  const { json } = await send();
  expect(json.data.deliveries).toHaveLength(2);
  expect(await payloadsFor(api.sql, { ...linked, systemId: other })).toHaveLength(1);
});

test('a store’s new id in the system is in the very next payload', async () => {
  await linkStore(linked.owner, linked.systemId, linked.storeId, 'renamed');
  expect((await send()).status).toBe(202);
  const payloads = await payloadsFor(api.sql, linked);
  expect(payloads).toHaveLength(2);
  expect(payloads[1]).toContain('"renamed"');
});

test.each([
  [
    'a store that is the user’s no more is refused',
    () => api.sql`delete from user_store where store_id = ${linked.storeId}::bigint`,
    409,
  ],
  [
    'a store that was deleted is not found',
    () => api.sql`update store set deleted_at = now() where store_id = ${linked.storeId}::bigint`,
    404,
  ],
  [
    'a webhook that was deleted gets nothing',
    () => api.sql`
      update subscription set deleted_at = now()
      where inventory_system_id = ${linked.systemId}::uuid`,
    200,
  ],
])('%s', async (_, change, status) => {
  await change();
  expect((await send()).status).toBe(status);
  expect(await payloadsFor(api.sql, linked)).toHaveLength(1);
});

test('of simultaneous events each goes where its own store leads', async () => {
  const stores: LinkedStore[] = [];
  for (let n = 0; n < 6; n += 1) {
    const store = await createLinkedStore(api, `Many ${made} ${n}`);
    expect((await sendEvent(store, 'stock', STOCK_EVENT)).status).toBe(202);
    stores.push(store);
  }
  const [gone, renamed] = stores;
  if (!gone || !renamed) throw new Error('no stores');
  await api.sql`update store set deleted_at = now() where store_id = ${gone.storeId}::bigint`;
  await linkStore(renamed.owner, renamed.systemId, renamed.storeId, 'renamed');
  const answers = await Promise.all(stores.map((store) => sendEvent(store, 'stock', STOCK_EVENT)));
  expect(answers.map(({ status }) => status)).toEqual([404, 202, 202, 202, 202, 202]);
  const written = await Promise.all(stores.map((store) => payloadsFor(api.sql, store)));
  expect(written.map((each) => each.length)).toEqual([1, 2, 2, 2, 2, 2]);
  expect(written[1]?.[1]).toContain('"renamed"');
});
