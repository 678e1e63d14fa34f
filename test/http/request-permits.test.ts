import { startTestApi, type TestApi } from '../support/api';
import { countBlocked } from '../support/blocked-statements';
import { boundOf, untilUsed } from '../support/bounds';
import { connectApps } from '../support/connect-apps';
import { openLine } from '../support/raw-socket';
import { takeAllPermits } from '../support/take-all-permits';
import {
  createLinkedStore,
  ITEMS_EVENT,
  type LinkedStore,
  sendEvent,
  STOCK_EVENT,
} from '../support/inventory';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

let api: TestApi;
let linked: LinkedStore;
beforeAll(async () => {
  api = await startTestApi({ WORKING_REQUESTS: '2', ACK_WAIT: '3s', UPLOAD_WAIT: '5s' });
  linked = await createLinkedStore(api, 'System');
});
afterAll(() => api.stop());

test('past the limit each is refused before any statement, and those in progress finish', async () => {
  const finish = await takeAllPermits(api, linked);
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

const HEAD = 'POST /api/v1/menus/upload HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

test('a client that tries again at once waits a second in its own socket, and no other does', async () => {
  const finish = await takeAllPermits(api, linked);
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
  const finish = await takeAllPermits(api, linked);
  const line = await openLine(api.url);
  line.send(`${HEAD}Content-Length: 4\r\n\r\n{ `);
  await line.answers(1);
  line.send(' }GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await line.answers(2)).statuses).toEqual([503, 200]);
  line.hangUp();
  await finish();
});

test('callbacks take no permit before their signature holds', async () => {
  const calls: Promise<Response>[] = [];
  await api.sql.begin(async (tx) => {
    await tx`lock table integration`;
    calls.push(
      ...Array.from({ length: 6 }, () =>
        fetch(`${api.url}/callbacks/app-c/1`, {
          method: 'POST',
          headers: { 'didi-header-sign': '0'.repeat(32) },
          body: '{}',
        }),
      ),
    );
    // A stranger has five permits, and the others wait.
    await untilUsed(api, 'signature_checks', 6);
    await until(async () => (await countBlocked(api.sql, 'integration')) === 5);
    expect((await boundOf(api, 'working_requests')).used).toBe(0);
    const store = { name: 'A store', country_code: 'MX' };
    expect((await linked.owner.post('/store', store)).status).toBe(201);
  });
  for (const { status } of await Promise.all(calls)) expect(status).toBe(401);
  await untilUsed(api, 'signature_checks', 0);
});

test('each request that waits for its outcome frees its permit for the next', async () => {
  // Long enough for the first to wait still when the last one does, however busy the machine.
  const patient = await startTestApi({
    WORKING_REQUESTS: '2',
    ACK_WAIT: '15s',
    UPLOAD_WAIT: '15s',
  });
  const ofPatient = await createLinkedStore(patient, 'Patient');
  const { owner, storeId } = ofPatient;
  const menu = await liveMenu(patient, ofPatient);
  const items = [{ external_id: 'I1', available: false }];
  const requests = [
    () => sendEvent(ofPatient, 'stock', STOCK_EVENT),
    () => owner.post('/menus/upload', menu),
    () => owner.post('/menus/availability', { store_id: storeId, items }),
    () => owner.post(`/store/${storeId}/pause`, {}),
    () => owner.post('/menus/live/check', menu),
  ];
  const waiting = [];
  for (const send of requests) {
    waiting.push(send());
    await untilUsed(patient, 'waiting_requests', waiting.length);
    await untilUsed(patient, 'working_requests', 0);
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(202);
  await patient.stop();
});

/** A body for the linked store, which has its menu live: only a worker makes one so. */
async function liveMenu(at: TestApi, { owner, storeId }: LinkedStore) {
  await connectApps(at, storeId, ['app-a']);
  const [{ integrationId } = { integrationId: 0 }] = await at.sql<{ integrationId: number }[]>`
    select integration_id from store_integration where store_id = ${storeId}::bigint`;
  const menu = { store_id: storeId, integration_id: integrationId, ...versionedMenu(1) };
  const sent = await owner.post('/menus/upload', menu, { prefer: 'respond-async' });
  expect(sent.status).toBe(202);
  await at.sql`
    with live as (
      update menu_upload set item_ids = '{"I1": ["I1"], "I2": ["I2"]}' returning *
    )
    update publication p set live_upload_id = l.upload_id from live l
    where p.store_id = l.store_id and p.integration_id = l.integration_id`;
  return menu;
}

test('a rollout that is stored has freed its body and its permit while its workflow is woken', async () => {
  const lonely = await startTestApi({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  try {
    const owner = await lonely.user();
    const targets = [{ store_id: await lonely.store(owner), integration_id: '1' }];
    const started = owner.post('/menus/rollouts', { targets, ...versionedMenu(1) });
    const isStored = async () => (await lonely.sql`select from rollout`).length > 0;
    await until(isStored);
    for (const bound of ['working_requests', 'body_memory'] as const) {
      await untilUsed(lonely, bound, 0);
    }
    expect(await Promise.race([started, Promise.resolve('not answered yet')])).toBe(
      'not answered yet',
    );
    expect((await started).status).toBe(202);
  } finally {
    await lonely.stop();
  }
});
