import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { visit } from '../console/visitor';
import { boundOf, untilUsed } from '../support/bounds';
import { connectApps } from '../support/connect-apps';
import { type Line, openLine } from '../support/raw-socket';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

const MEGABYTE = 1_048_576;
const STORE = { name: 'A store', country_code: 'MX' };

/** The hosts that were looked up, at a name server that never answers. */
let lookedUp: string[] = [];
const neverFound = (host: string) => {
  lookedUp.push(host);
  return new Promise<never>(() => {});
};

describe('slow requests of one user', () => {
  let api: TestApi;
  let silent: Server;
  let calls = 0;
  beforeAll(async () => {
    silent = createServer(() => (calls += 1)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    api = await startTestApi({ WORKING_REQUESTS: '3' }, { lookup: neverFound });
  });
  afterAll(async () => {
    await api.stop();
    silent.close();
  });

  /** Both are sent at once; resolves when one is at work and the other waits, and then the permits are looked at. */
  async function expectPermitsFor(others: TestCaller): Promise<void> {
    await untilUsed(api, 'stranger_requests_of_a_user', 2);
    expect((await boundOf(api, 'working_requests')).used).toBe(1);
    expect((await others.post('/store', STORE)).status).toBe(201);
  }

  test('leave permits to others while an image host is silent, and the next is made when its caller leaves', async () => {
    const [owner, other] = [await api.user(), await api.user()];
    const storeId = await api.store(owner);
    await connectApps(api, storeId, ['app-a']);
    const { port } = silent.address() as AddressInfo;
    const leaving = new AbortController();
    const preview = (n: number, query: string, signal: AbortSignal | null = null) => {
      const image_url = `https://127.0.0.1:${port}/${n}.png`;
      const items = EXAMPLE_MENU.items.map((item) => ({ ...item, image_url }));
      return fetch(`${api.url}/api/v1/menus/preview${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...EXAMPLE_MENU, items, store_id: storeId }),
        signal,
      });
    };
    const left = [1, 2].map((n) => preview(n, '?check_images=true', leaving.signal));
    const failed = Promise.allSettled(left);
    await until(() => Promise.resolve(calls > 0));
    await expectPermitsFor(other);
    leaving.abort();
    await failed;
    expect((await preview(3, '')).status).toBe(200);
    await untilUsed(api, 'stranger_requests_of_a_user', 0);
  });

  test('leave permits to others while the name server of a URL is silent', async () => {
    const [owner, other] = [await api.user(), await api.user()];
    const manage = (n: number) =>
      owner.post('/events/webhook/manage', { url: `https://receiver-${n}.example/hook` });
    const managed = [manage(1), manage(2)];
    await expectPermitsFor(other);
    expect((await Promise.all(managed)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('that wait for strangers, also as pages, do not hold up pages or stored texts', async () => {
    const owner = await api.user();
    const storeId = await api.store(owner);
    const visitor = await visit(api.url, owner.token);
    const page = `/console/stores/${storeId}/preview`;
    const form = new FormData();
    form.set('menu', JSON.stringify(EXAMPLE_MENU));
    const first = owner.post('/events/webhook/manage', { url: 'https://receiver.example/hook' });
    await untilUsed(api, 'stranger_requests_of_a_user', 1);
    const preview = visitor.sendForm(page, form);
    await untilUsed(api, 'stranger_requests_of_a_user', 2);
    expect((await boundOf(api, 'pages_of_a_user')).used).toBe(0);
    expect((await visitor.get(page)).status).toBe(200);
    const unknown = `/menus/uploads/upl_${'0'.repeat(32)}/menu`;
    expect((await owner.get(unknown)).status).toBe(404);
    // The first one is still at work.
    expect((await boundOf(api, 'stranger_requests_of_a_user')).used).toBe(2);
    expect((await first).status).toBe(200);
    expect((await preview).text).toContain('Preview of a menu');
  });

  test('hear at once what is wrong with their head, while all permits are taken', async () => {
    const owner = await api.user();
    const register = (type: string, body: string) =>
      fetch(`${api.url}/api/v1/events/webhook/manage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': type },
        body,
      });
    const first = register('application/json', '{"url":"https://receiver.example/hook"}');
    await untilUsed(api, 'stranger_requests_of_a_user', 1);
    expect((await register('text/plain', '{}')).status).toBe(415);
    expect((await register('application/json', ' '.repeat(256 * 1024 + 1))).status).toBe(413);
    // The first one is still at work.
    expect((await boundOf(api, 'stranger_requests_of_a_user')).used).toBe(1);
    expect((await first).status).toBe(200);
  });
});

test('requests whose caller leaves are dropped: the next one gets the permit, and their work never starts', async () => {
  // One user may have six of eight permits, and four of them at work.
  const api = await startTestApi({ WORKING_REQUESTS: '8' }, { lookup: neverFound });
  const owner = await api.user();
  lookedUp = [];
  const register = (host: string, signal: AbortSignal | null = null) =>
    fetch(`${api.url}/api/v1/events/webhook/manage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `https://${host}/hook` }),
      signal,
    });
  const hosts = ['first.example', 'second.example', 'third.example', 'fourth.example'];
  const atWork = hosts.map((host) => register(host));
  await untilUsed(api, 'stranger_requests_of_a_user', 4);
  const leaving = new AbortController();
  const left = Promise.allSettled([register('left.example', leaving.signal)]);
  await untilUsed(api, 'stranger_requests_of_a_user', 5);
  const next = register('next.example');
  await untilUsed(api, 'stranger_requests_of_a_user', 6);
  leaving.abort();
  await left;
  await untilUsed(api, 'stranger_requests_of_a_user', 5);
  // While the others are still at work.
  expect(lookedUp.toSorted()).toEqual(hosts.toSorted());
  expect((await Promise.all([...atWork, next])).map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 200,
  ]);
  expect(lookedUp.at(-1)).toBe('next.example');
  await api.stop();
});

test('requests that wait for a permit are told at once that the process stops', async () => {
  const api = await startTestApi({ WORKING_REQUESTS: '3' }, { lookup: neverFound });
  const owner = await api.user();
  const register = () =>
    owner.post('/events/webhook/manage', { url: 'https://receiver.example/hook' });
  const first = register();
  await untilUsed(api, 'stranger_requests_of_a_user', 1);
  const second = register();
  await untilUsed(api, 'stranger_requests_of_a_user', 2);
  const stopped = api.stop();
  const { status, json, headers } = await Promise.race([first, second]);
  expect([status, json.message]).toEqual([503, ['The service is busy.']]);
  expect([headers.get('retry-after'), headers.get('connection')]).toEqual(['1', 'close']);
  expect((await first).status).toBe(200);
  await stopped;
});

test('a user’s unread answers take at most three quarters of the memory, and others get theirs', async () => {
  const api = await startTestApi({ BODY_MEMORY: '64MB' });
  const lines: Line[] = [];
  try {
    const [greedy, other] = [await api.user(), await api.user()];
    const pathOf = async (caller: TestCaller) => `/menus/uploads/${await largeUpload(api, caller)}`;
    const path = await pathOf(greedy);
    for (let n = 1; n <= 4; n += 1) {
      const line = await openLine(api.url);
      lines.push(line);
      line.socket.pause();
      line.send(
        `GET /api/v1${path}/menu HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${greedy.token}\r\n\r\n`,
      );
      await until(async () => (await boundOf(api, 'body_memory')).used > n * 10 * MEGABYTE);
    }
    const refused = await greedy.get(`${path}/menu`);
    expect([refused.status, refused.json.message]).toEqual([503, ['The service is busy.']]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await other.get(`${await pathOf(other)}/menu`)).status).toBe(200);
  } finally {
    for (const line of lines) line.hangUp();
    await api.stop();
  }
});

/** An upload of a menu of 10 MB, nearly all of it spaces. */
async function largeUpload(api: TestApi, caller: TestCaller): Promise<string> {
  const storeId = await api.store(caller);
  await connectApps(api, storeId, ['app-b']);
  const [{ integrationId } = { integrationId: 0 }] = await api.sql<{ integrationId: number }[]>`
    select integration_id from store_integration where store_id = ${storeId}::bigint`;
  const body = { store_id: storeId, integration_id: integrationId, ...versionedMenu(1) };
  const { headers } = await caller.post('/menus/upload', body, { prefer: 'respond-async' });
  const uploadId = headers.get('x-upload-id') ?? '';
  const text = Buffer.alloc(10 * MEGABYTE, ' ');
  text.write('{');
  text.write('"menus":[]}', text.length - 11);
  await api.sql`
    with large as (
      insert into document (sha256, content_gzip, size)
      values (${uploadId}, ${gzipSync(text)}, ${text.length}) returning sha256
    )
    update menu_upload set document_sha256 = large.sha256 from large
    where upload_id = ${uploadId}`;
  return uploadId;
}
