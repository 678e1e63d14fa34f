import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openLine } from '../support/raw-socket';
import { until } from '../support/until';
import { createConfiguredSecretBox } from '../../src/run/configured-secrets';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import { openShop, type Shop } from '../support/shop';
import { sizedMenu } from '../support/sized-menu';
import { beginRequest, goOn, type SlowRequest } from '../support/slow-request';

const MEGABYTE = 1_048_576;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Waits until bodies take so much. */
const held = (bytes: number) => untilUsed(api, 'body_memory', bytes);

let api: TestApi;
let caller: TestCaller;
/** One user alone has three quarters of the memory, a body of another may have the rest. */
let other: TestCaller;
let shop: Shop;
beforeAll(async () => {
  api = await startTestApi({ BODY_MEMORY: '10MB', UPLOAD_WAIT: '20s' });
  caller = await api.user('inventory:create');
  other = await api.user('inventory:create');
  shop = await openShop(
    {
      sql: api.sql,
      secrets: createConfiguredSecretBox(api.config),
      userId: caller.userId,
      token: caller.token,
      apiUrl: () => api.url,
    },
    'app-b',
  );
});
afterAll(async () => {
  await shop.close();
  await api.stop();
});
afterEach(() => held(0));

const begin = (headers: Readonly<Record<string, string | number>>) =>
  beginRequest(`${api.url}/api/v1/menus/upload`, {
    ...JSON_TYPE,
    authorization: `Bearer ${caller.token}`,
    ...headers,
  });

const ofOther = () => ({ authorization: `Bearer ${other.token}` });

/** A body of this size that is on its way, once it has its memory. */
async function hold(
  bytes: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<SlowRequest> {
  const { used } = await boundOf(api, 'body_memory');
  const slow = begin({ 'content-length': bytes, ...headers });
  goOn(slow, bytes);
  await held(used + bytes);
  return slow;
}

const callback = () =>
  beginRequest(`${api.url}/callbacks/app-c/1`, {
    'didi-header-sign': '0'.repeat(32),
    'content-length': MEGABYTE,
  });
const signIn = (length: number) =>
  beginRequest(`${api.url}/console/sign-in`, {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': length,
  });
const untilTaken = (bytes: number) => untilUsed(api, 'unknown_senders_memory', bytes);

async function statusOf(headers: Readonly<Record<string, string | number>>): Promise<number> {
  return (await begin({ 'content-length': 5, ...headers }).answered).status;
}

function sendPacked(bytes: number) {
  const packed = gzipSync(Buffer.concat([Buffer.from('{}'), Buffer.alloc(bytes - 2, 32)]));
  const request = begin({
    'content-length': packed.length,
    'content-encoding': 'gzip',
    ...ofOther(),
  });
  request.sending.end(packed);
  return request.answered;
}

async function cut(...requests: SlowRequest[]): Promise<void> {
  for (const { sending } of requests) sending.destroy();
  await held(0);
}

const BUSY = {
  status: 503,
  retryAfter: '1',
  text: '{"message":["The service is busy."],"data":null}',
};

test('a body without memory is answered 503 before it is read, and has some when another is released', async () => {
  const slow = await hold(6 * MEGABYTE);
  expect(await begin({ 'content-length': 4 * MEGABYTE + 1 }).answered).toEqual(BUSY);
  const fits = await hold(4 * MEGABYTE, ofOther());
  // Not even a small one: nothing is left.
  expect(await begin({ 'content-length': 1 }).answered).toEqual(BUSY);
  expect(await begin({ 'transfer-encoding': 'chunked' }).answered).toEqual(BUSY);
  await cut(slow, fits);
  expect((await caller.post('/menus/upload', {})).status).toBe(422);
  await until(async () => (await boundOf(api, 'body_memory')).hits === 3);
});

test('401, 415 and a declared length over the limit are reported first', async () => {
  const slow = await hold(10 * MEGABYTE);
  expect(await statusOf({ authorization: 'Bearer nobody' })).toBe(401);
  expect(await statusOf({ 'content-type': 'text/plain' })).toBe(415);
  expect(await statusOf({ 'content-encoding': 'br' })).toBe(415);
  expect(await statusOf({ 'content-length': 10 * MEGABYTE + 1 })).toBe(413);
  expect(await statusOf({})).toBe(503);
  // What needs no body is answered.
  expect((await caller.get('/menus/uploads')).status).toBe(200);
  await cut(slow);
});

test('a body without a length takes memory as it comes', async () => {
  const slow = await hold(6 * MEGABYTE);
  const growing = begin({ 'transfer-encoding': 'chunked', ...ofOther() });
  growing.sending.write(Buffer.alloc(2 * MEGABYTE, 32));
  await held(8 * MEGABYTE);
  growing.sending.write(Buffer.alloc(2 * MEGABYTE, 32));
  await held(10 * MEGABYTE);
  growing.sending.write(Buffer.alloc(MEGABYTE, 32));
  expect(await growing.answered).toEqual(BUSY);
  await held(6 * MEGABYTE);
  await cut(slow, growing);
});

test('a length that is only declared takes nothing, and a body that finds no memory on its way is answered 503', async () => {
  const idle = Array.from({ length: 30 }, () => begin({ 'content-length': 10 * MEGABYTE }));
  const rivals = [1, 2].map(() => begin({ 'content-length': 6 * MEGABYTE }));
  const [first, second] = rivals as [SlowRequest, SlowRequest];
  first.sending.write(Buffer.alloc(6 * MEGABYTE - 1, 32));
  await held(6 * MEGABYTE);
  expect((await caller.post('/menus/upload', {})).status).toBe(422);
  second.sending.write(Buffer.alloc(6 * MEGABYTE - 1, 32));
  expect(await second.answered).toEqual(BUSY);
  await held(6 * MEGABYTE);
  first.sending.end('{');
  expect((await first.answered).status).toBe(400);
  await cut(...idle, second);
});

test('requests without a token have memory of their own and use up none of that for callers', async () => {
  const strangers = Array.from({ length: 256 }, callback);
  for (const stranger of strangers.slice(0, 12)) goOn(stranger, MEGABYTE);
  // All that one address may have.
  await untilTaken(12 * MEGABYTE);
  expect(await callback().answered).toEqual(BUSY);
  await held(0);
  expect((await caller.post('/menus/upload', {})).status).toBe(422);
  await cut(...strangers);
  await untilTaken(0);
});

test('a thousand strangers with one byte each leave memory for the others', async () => {
  const strangers = Array.from({ length: 1_025 }, () => signIn(16 * 1024));
  for (const { sending } of strangers) sending.write('t');
  await untilTaken(strangers.length * 512);
  const form = `token=${caller.token}`;
  const welcome = signIn(form.length);
  welcome.sending.end(form);
  expect((await welcome.answered).status).toBe(303);
  await cut(...strangers);
  await untilTaken(0);
});

test('a gzip body takes the memory of its decoded size', async () => {
  const slow = await hold(6 * MEGABYTE);
  expect((await sendPacked(3 * MEGABYTE)).status).toBe(422);
  expect(await sendPacked(5 * MEGABYTE)).toEqual(BUSY);
  await held(6 * MEGABYTE);
  await cut(slow);
  expect((await sendPacked(10 * MEGABYTE)).status).toBe(422);
  expect((await sendPacked(10 * MEGABYTE + 1)).status).toBe(413);
});

/** The path of an upload of this menu, which is stored and not pushed. */
async function store(menu: object): Promise<string> {
  const { storeId, integrationId } = shop;
  const body = { ...menu, store_id: storeId, integration_id: integrationId };
  const accepted = await caller.post('/menus/upload', body, { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  return `/menus/uploads/${accepted.json.data.upload_id}/menu`;
}

/** Asks for all of these in one connection, and reads nothing. */
function askAhead(...paths: string[]): Socket {
  const reader = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
  for (const path of paths) {
    reader.write(
      `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.token}\r\n\r\n`,
    );
  }
  return reader;
}

describe('a menu that is answered', () => {
  const sized = sizedMenu(9_000, 1);
  const items = sized.items.map((item) => ({ ...item, description: 'd'.repeat(500) }));
  let path: string;
  beforeAll(async () => {
    path = await store({ ...sized, items });
  });

  /** Asks for the menu, and for others in the same connection; resolves with the memory that is taken. */
  async function take(...others: string[]) {
    const reader = askAhead(path, ...others);
    await until(async () => (await boundOf(api, 'body_memory')).used > 5.1 * MEGABYTE);
    await sleep(300);
    return { reader, memory: (await boundOf(api, 'body_memory')).used };
  }

  test('holds its memory until it is read, or its caller has gone', async () => {
    const { reader } = await take();
    expect(await caller.get(path)).toMatchObject({
      status: 503,
      json: { message: ['The service is busy.'], data: null },
    });
    reader.destroy();
    await held(0);
    const read = await caller.get(path);
    expect(read.json.data).toMatchObject({ ...sized, items });
    expect(read.headers.get('content-length')).toBe(String(Buffer.byteLength(read.text)));
  });

  test('holds no memory while it waits behind another answer, nor once its caller has gone', async () => {
    const small = await store(sizedMenu(100, 1));
    const alone = await take();
    alone.reader.destroy();
    await held(0);
    const { reader, memory } = await take(small, small);
    expect(memory).toBe(alone.memory);
    reader.destroy();
    await held(0);
  });

  test('holds nothing behind a request without a host, which ends the connection', async () => {
    const line = await openLine(api.url);
    const authorization = `Authorization: Bearer ${caller.token}`;
    const menu = `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;
    line.send(`GET /health/live HTTP/1.1\r\n\r\n${menu}`);
    expect((await line.closed()).statuses).toEqual([400]);
    await sleep(300);
    await held(0);
  });
});

test('an upload that waits for its outcome holds nothing of its body', async () => {
  const uploads = [shop.upload(1), shop.upload(2)];
  await until(async () => {
    const rows = await api.sql`select from menu_upload where awaited_until > now()`;
    return rows.length === uploads.length;
  });
  await held(0);
  await untilUsed(api, 'waiting_requests', 2);
  await api.sql`
    with ended as (
      update menu_upload set state = 'uploaded', finished_at = now() returning upload_id
    )
    select pg_notify('row_done', string_agg(upload_id, ',')) from ended`;
  for (const { status } of await Promise.all(uploads)) expect(status).toBe(200);
  await untilUsed(api, 'waiting_requests', 0);
});
