import { gzipSync } from 'node:zlib';
import { jsonAnswer, type AppSimulatorFactory } from '../../dev/sandbox/app-simulator';
import { startSandbox, type Sandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { until } from '../support/until';

const TEN_MB = 10 * 1_048_576;

/** Takes every PUT as the menu of the store in the path. */
const echo: AppSimulatorFactory = () => ({
  name: 'echo',
  description: 'takes everything',
  ownFaults: [],
  knows: (storeId) => !storeId.startsWith('unknown'),
  reader: { keepsOff: false, offIn: () => [], itemIds: () => new Set() },
  routeOf: (method) => (method === 'PUT' ? 'upload' : undefined),
  storeOf: ({ path }) => path.slice(1),
  answer: ({ path, body }) => ({
    ...jsonAnswer(200, { bytes: body.length }),
    accepted: { storeId: path.slice(1), payload: body },
  }),
  expireToken: () => jsonAnswer(401, { error: 'expired' }),
});

let now = Date.parse('2026-05-04T10:00:00Z');
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, parts: [simulateApp(echo)], clock: () => now });
});
afterAll(() => sandbox.close());

const page = (name: string, method = 'GET') =>
  fetch(`${sandbox.url}/echo/_sandbox/${name}`, { method });
const put = (store: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/echo/${store}`, {
    method: 'PUT',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers,
  });

beforeEach(async () => {
  for (const name of ['faults', 'menus', 'requests']) await page(name, 'DELETE');
});

test('the start page names every part', async () => {
  const answer = await fetch(sandbox.url);
  expect(await answer.json()).toMatchObject({ parts: [{ path: '/echo' }] });
});

test('unknown parts, app paths and pages are 404, unknown methods of a page 405', async () => {
  for (const path of ['/nobody', '/echo/store', '/echo/_sandbox/nothing']) {
    expect((await fetch(sandbox.url + path)).status).toBe(404);
  }
  const answer = await page('menus', 'POST');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
});

test('the timeline is that of a store that the app knows, or of all', async () => {
  await page('timeline', 'DELETE');
  await put('s1', '{}');
  const timelineOf = async (query: string) => (await page(`timeline${query}`)).json();
  expect(await timelineOf('?store_id=s1')).toMatchObject([{ store_id: 's1', cause: 'upload' }]);
  expect(await timelineOf('?store_id=s2')).toEqual([]);
  expect(await timelineOf('')).toHaveLength(1);
  const unknown = await page('timeline?store_id=unknown-store');
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'unknown_store' }]);
});

test('menus are shown oldest first, each with its store, time and payload', async () => {
  await put('s1', '{"n":1}');
  now += 1_500;
  await put('s2', '{"n":2}');
  expect(await (await page('menus')).json()).toMatchObject([
    { store_id: 's1', received_at: '2026-05-04T10:00:00.000Z', payload: { n: 1 } },
    { store_id: 's2', received_at: '2026-05-04T10:00:01.500Z', payload: { n: 2 } },
  ]);
});

test('numbers above 2^53 are shown unchanged', async () => {
  await put('s1', '{"id":3458764739727720401}');
  expect(await (await page('menus')).text()).toContain('{"id":3458764739727720401}');
});

test('each request is recorded with route, store and status', async () => {
  await put('s1', '{}');
  await fetch(`${sandbox.url}/echo/elsewhere`);
  const at = new Date(now).toISOString();
  expect(await (await page('requests')).json()).toEqual([
    { at, route: 'upload', store_id: 's1', status: 200, started_at: at, finished_at: at },
    { at, route: 'unknown', store_id: null, status: 404, started_at: at, finished_at: at },
  ]);
});

test('ten MB are accepted, plain and after inflating, and one byte more is 413', async () => {
  const full = Buffer.alloc(TEN_MB, 0x20);
  const more = Buffer.alloc(TEN_MB + 1, 0x20);
  const gzip = { 'content-encoding': 'gzip' };
  expect((await put('s1', full)).status).toBe(200);
  expect((await put('s1', more)).status).toBe(413);
  expect(await (await put('s1', gzipSync(full), gzip)).json()).toEqual({ bytes: TEN_MB });
  expect((await put('s1', gzipSync(more), gzip)).status).toBe(413);
});

test('a body that is not gzip is 400, another encoding 415', async () => {
  expect((await put('s1', 'plain', { 'content-encoding': 'gzip' })).status).toBe(400);
  expect((await put('s1', 'plain', { 'content-encoding': 'br' })).status).toBe(415);
});

test('two parts of one name are refused', async () => {
  const parts = [simulateApp(echo), simulateApp(echo)];
  await expect(startSandbox({ port: 0, parts })).rejects.toThrow('Two parts are called echo.');
});

test('a port that is taken rejects', async () => {
  const port = Number(new URL(sandbox.url).port);
  await expect(startSandbox({ port, parts: [] })).rejects.toThrow('EADDRINUSE');
});

test('closing ends answers that are still waiting', async () => {
  const other = await startSandbox({ port: 0, parts: [simulateApp(echo)] });
  await fetch(`${other.url}/echo/_sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'late', ms: 600_000 }),
  });
  const waiting = fetch(`${other.url}/echo/s1`, { method: 'PUT', body: '{}' }).then(
    () => 'answered',
    () => 'cut off',
  );
  // The menu is shown once the request is inside.
  const menus = `${other.url}/echo/_sandbox/menus`;
  await until(async () => (await (await fetch(menus)).text()) !== '[]');
  await other.close();
  expect(await waiting).not.toBe('answered');
});
