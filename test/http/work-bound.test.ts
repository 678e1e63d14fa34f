import { attachPos, createPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import { deferred } from '../support/deferred';
import { openLine } from '../support/raw-socket';
import {
  createLinkedStore,
  ITEMS_EVENT,
  type LinkedStore,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';
import { type MisbehavingServer, startMisbehavingServer } from '../support/misbehaving-server';
import { beginRequest } from '../support/slow-request';
import { until } from '../support/until';

const HEAD = 'POST /api/v1/menus/upload HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

let api: TestApi;
let linked: LinkedStore;
let pos: MisbehavingServer;
beforeAll(async () => {
  pos = await startMisbehavingServer();
  api = await startTestApi({ WORKING_REQUESTS: '2', ACK_WAIT: '3s', WEBHOOK_TIMEOUT: '3s' });
  linked = await createLinkedStore(api, 'System');
});
afterAll(async () => {
  await api.stop();
  await pos.close();
});

/** Two requests take all places until the returned function has been called. */
async function takeAllPlaces() {
  const free = deferred();
  const locked = deferred();
  const locking = api.sql.begin(async (tx) => {
    await tx`lock table delivery in exclusive mode`;
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  const working = [1, 2].map(() => sendEvent(linked, 'stock', STOCK_EVENT));
  await untilUsed(api, 'working_requests', 2);
  return async () => {
    free.resolve();
    await locking;
    return Promise.all(working);
  };
}

test('past the limit each is refused before any statement, and those in progress finish', async () => {
  const finish = await takeAllPlaces();
  for (const kind of ['stock', 'items'] as const) {
    const refused = await sendEvent(linked, kind, kind === 'stock' ? STOCK_EVENT : ITEMS_EVENT);
    expect([refused.status, refused.json.message]).toEqual([503, ['The service is busy.']]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(refused.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  }
  // Those who want a problem document get one, behind the other guards.
  const problem = await sendEvent(linked, 'stock', STOCK_EVENT, {
    accept: 'application/problem+json',
    'x-request-id': 'own-id',
  });
  expect([problem.status, problem.json.detail]).toEqual([503, 'The service is busy.']);
  expect(problem.headers.get('x-request-id')).toBe('own-id');
  // Requests without a body are answered all the while.
  expect((await linked.owner.get('/me')).status).toBe(200);
  expect(await boundOf(api, 'working_requests')).toEqual({ limit: 2, used: 2, hits: 3 });
  expect((await finish()).map(({ status }) => status)).toEqual([202, 202]);
  await untilUsed(api, 'working_requests', 0);
  const [{ count } = { count: 0 }] = await api.sql<{ count: number }[]>`
    select count(*) as count from any_delivery`;
  expect(count).toBe(2);
});

test('what the head of a request calls for is answered first, but for its token', async () => {
  const finish = await takeAllPlaces();
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

test('a client that tries again at once waits a second in its own socket, and no other does', async () => {
  const finish = await takeAllPlaces();
  const [hasty, other] = [await openLine(api.url), await openLine(api.url)];
  const request = `${HEAD}Content-Length: 2\r\n\r\n{}`;
  hasty.send(request);
  const first = await hasty.answers(1);
  hasty.send(request);
  other.send(request);
  expect((await other.answers(1)).statuses).toEqual([503]);
  const second = await hasty.answers(2);
  expect(second.statuses).toEqual([503, 503]);
  expect(second.ms - first.ms).toBeGreaterThan(900);
  for (const line of [hasty, other]) line.hangUp();
  await finish();
});

test('a refused body that is still on its way is read to its end', async () => {
  const finish = await takeAllPlaces();
  const line = await openLine(api.url);
  line.send(`${HEAD}Content-Length: 4\r\n\r\n{ `);
  await line.answers(1);
  line.send(' }GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await line.answers(2)).statuses).toEqual([503, 200]);
  line.hangUp();
  await finish();
});

test('one that waits for its outcome frees its place for the next', async () => {
  const waiting = [];
  for (let n = 1; n <= 4; n += 1) {
    waiting.push(sendEvent(linked, 'stock', STOCK_EVENT));
    await untilUsed(api, 'waiting_requests', n);
    await untilUsed(api, 'working_requests', 0);
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(202);
});

test('one that waits for the POS frees its place too', async () => {
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
