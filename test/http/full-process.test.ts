import { PassThrough } from 'node:stream';
import { attachPos, createPos } from '../../src/inventory/sql/pos-systems';
import { generateSecret } from '../../src/platform/crypto/signing';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import { createLinkedStore, type LinkedStore, STOCK_EVENT } from '../support/inventory';
import { type MisbehavingServer, startMisbehavingServer } from '../support/misbehaving-server';
import { beginRequest } from '../support/slow-request';
import { takeAllPermits } from '../support/take-all-permits';
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
  const finish = await takeAllPermits(api, linked);
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
  // What needs no permit is answered, and the small forms of the console help out of a full process.
  expect(await send('/api/v1/menus/uploads/none/cancel', json)).toBe(404);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send('/console/sign-in', form)).toBe(401);
  const { hits } = await boundOf(api, 'working_requests');
  expect(await send('/api/v1/menus/upload', { ...json, authorization: 'Bearer nobody' })).toBe(503);
  expect(await send('/callbacks/app-c/1', { 'didi-header-sign': '0'.repeat(32) })).toBe(503);
  expect(await boundOf(api, 'working_requests')).toEqual({ limit: 2, used: 2, hits: hits + 2 });
  await finish();
});

test('what is refused before it is read counts as an answer of its route, and as a 5xx of our own', async () => {
  const read = async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    const valueOf = (series: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length) ?? 0,
      );
    const labels = 'method="PATCH",route="/api/v1/store/:store_id",status="503"';
    return {
      own: valueOf('http_responses_total{class="5xx",source="own"}'),
      ofRoute: valueOf(`http_request_duration_seconds_count{${labels}}`),
    };
  };
  const finish = await takeAllPermits(api, linked);
  const before = await read();
  expect((await linked.owner.patch(`/store/${linked.storeId}`, { direction: 'A' })).status).toBe(
    503,
  );
  await finish();
  expect(await read()).toEqual({ own: before.own + 1, ofRoute: before.ofRoute + 1 });
});

test('what a full process refuses is logged at a detailed level only, as its metric counts it', async () => {
  let logged = '';
  const logTo = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  const small = await startTestApi({ BODY_MEMORY: '10MB', LOG_LEVEL: 'debug' }, { logTo });
  try {
    const owner = await small.user();
    const size = 10 * 1_048_576;
    const { sending } = beginRequest(`${small.url}/api/v1/menus/upload`, {
      authorization: `Bearer ${owner.token}`,
      'content-type': 'application/json',
      'content-length': size,
    });
    sending.write(Buffer.alloc(size - 1, 32));
    await untilUsed(small, 'body_memory', size);
    expect((await owner.post('/store', {})).status).toBe(503);
    sending.destroy();
    const lines = logged.split('\n').filter((line) => line.includes('"status":503'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 20, error_code: 'service_busy', path: '/api/v1/store' },
    ]);
  } finally {
    await small.stop();
  }
});

test('a stock update without a permit to wait for the POS is refused at once, and not sent', async () => {
  const small = await startTestApi({ WAITING_REQUESTS: '0', WEBHOOK_TIMEOUT: '12s' });
  try {
    const [first, other] = [
      await createLinkedStore(small, 'System'),
      await createLinkedStore(small, 'Other system'),
    ];
    const [send, sendOther] = [await updater(small, first), await updater(small, other)];
    const sent = pos.requests.length;
    // A user has half of the permits, of which there are 100 even where no request may wait for its outcome.
    const waiting = Array.from({ length: 50 }, send);
    await untilUsed(small, 'waiting_pos_updates', 50);
    await until(() => pos.requests.length === sent + 50);
    const startedAt = performance.now();
    const refused = await send();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect([refused.status, refused.json.message]).toEqual([503, ['The service is busy.']]);
    expect(refused.headers.get('retry-after')).toBe('1');
    // The other permits are for others.
    waiting.push(sendOther());
    await until(() => pos.requests.length === sent + 51);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 51 }, () => 504));
    await untilUsed(small, 'waiting_pos_updates', 0);
    expect(await boundOf(small, 'waiting_pos_updates')).toEqual({ limit: 100, used: 0, hits: 1 });
  } finally {
    await small.stop();
  }
});

test('a stock update that waits for the POS has freed its permit', async () => {
  const send = await updater(api, linked);
  const sent = pos.requests.length;
  const waiting = [];
  for (let n = sent + 1; n <= sent + 3; n += 1) {
    waiting.push(send());
    await until(() => pos.requests.length === n);
    expect((await boundOf(api, 'working_requests')).used).toBe(0);
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(504);
});

/** Sends stock updates to a POS that never answers, of a linked store. */
async function updater(to: TestApi, { owner, storeId, systemId }: LinkedStore) {
  const secrets = createConfiguredSecretBox(to.config);
  const posId = await createPos(to.sql, secrets, {
    name: 'POS',
    baseUrl: pos.url('hang'),
    secret: generateSecret(),
  });
  await attachPos(to.sql, storeId, posId);
  const update = { ...STOCK_EVENT, inventory_system_id: systemId, pos_id: posId };
  return () => owner.post(`/inventory/system/store/${storeId}/pos/stock/update`, update);
}
