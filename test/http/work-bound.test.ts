import { startTestApi, type TestApi } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import { deferred } from '../support/deferred';
import {
  createLinkedStore,
  ITEMS_EVENT,
  type LinkedStore,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';

let api: TestApi;
let linked: LinkedStore;
beforeAll(async () => {
  api = await startTestApi({ WORKING_REQUESTS: '2', ACK_WAIT: '5s' });
  linked = await createLinkedStore(api, 'System');
});
afterAll(() => api.stop());

test('past the limit each is refused before any statement, and those in progress finish', async () => {
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
  free.resolve();
  await locking;
  expect((await Promise.all(working)).map(({ status }) => status)).toEqual([202, 202]);
  await untilUsed(api, 'working_requests', 0);
  const [{ count } = { count: 0 }] = await api.sql<{ count: number }[]>`
    select count(*) as count from any_delivery`;
  expect(count).toBe(2);
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
