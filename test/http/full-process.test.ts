import { attachPos, createPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi } from '../support/api';
import { boundOf } from '../support/bounds';
import { createLinkedStore, type LinkedStore, STOCK_EVENT } from '../support/inventory';
import { type MisbehavingServer, startMisbehavingServer } from '../support/misbehaving-server';
import { beginRequest } from '../support/slow-request';
import { takeAllPlaces } from '../support/take-all-places';
import { until } from '../support/until';

let api: TestApi;
let linked: LinkedStore;
let pos: MisbehavingServer;
beforeAll(async () => {
  pos = await startMisbehavingServer();
  api = await startTestApi({ WORKING_REQUESTS: '2', ACK_WAIT: '0s', WEBHOOK_TIMEOUT: '3s' });
  linked = await createLinkedStore(api, 'System');
});
afterAll(async () => {
  await api.stop();
  await pos.close();
});

test('what the head of a request calls for is answered first, but for its token', async () => {
  const finish = await takeAllPlaces(api, linked);
  const authorization = `Bearer ${linked.owner.token}`;
  const send = async (path: string, headers: Record<string, string>, method = 'POST') => {
    const request = { method, headers, body: 'x=1' };
    return (await fetch(`${api.url}${path}`, request)).status;
  };
  const json = { authorization, 'content-type': 'application/json' };
  expect(await send('/api/v1/menus/uplaod', json)).toBe(404);
  expect(await send(`/api/v1/store/${linked.storeId}/`, json, 'PATCH')).toBe(404);
  expect(await send('/api/v1/menus/upload', json, 'PUT')).toBe(405);
  expect(await send('/api/v1/inventory/system/create', json, 'PATCH')).toBe(405);
  expect(await send('/api/v1/menus/upload', { ...json, 'content-type': 'text/plain' })).toBe(415);
  expect(await send('/api/v1/menus/upload', { ...json, 'content-encoding': 'br' })).toBe(415);
  expect(await send('/callbacks/app-c/1', { 'didi-header-sign': 'none' })).toBe(401);
  const long = { ...json, 'content-length': 10 * 1_048_576 + 1 };
  const { sending, answered } = beginRequest(`${api.url}/api/v1/menus/upload`, long);
  expect((await answered).status).toBe(413);
  sending.destroy();
  // What needs no place is answered, and the small forms of the console help out of a full process.
  expect(await send('/api/v1/menus/uploads/none/cancel', json)).toBe(404);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send('/console/sign-in', form)).toBe(401);
  const { hits } = await boundOf(api, 'working_requests');
  expect(await send('/api/v1/menus/upload', { ...json, authorization: 'Bearer nobody' })).toBe(503);
  expect(await send('/callbacks/app-c/1', { 'didi-header-sign': '0'.repeat(32) })).toBe(503);
  expect(await boundOf(api, 'working_requests')).toEqual({ limit: 2, used: 2, hits: hits + 2 });
  await finish();
});

test('a stock update that waits for the POS has freed its place', async () => {
  const { owner, storeId, systemId } = linked;
  const secrets = createConfiguredSecretBox(api.config);
  const posId = await createPos(api.sql, secrets, {
    name: 'POS',
    baseUrl: pos.url('hang'),
    secret: generateSecret(),
  });
  await attachPos(api.sql, storeId, posId);
  const update = { ...STOCK_EVENT, inventory_system_id: systemId, pos_id: posId };
  const waiting = [];
  for (let n = 1; n <= 3; n += 1) {
    waiting.push(owner.post(`/inventory/system/store/${storeId}/pos/stock/update`, update));
    await until(() => pos.requests.length === n);
    expect((await boundOf(api, 'working_requests')).used).toBe(0);
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(504);
});
