import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { startTestApi, type TestAnswer, type TestApi, type TestCaller } from '../support/api';
import { countBlocked } from '../support/blocked-statements';
import { boundOf, untilUsed } from '../support/bounds';
import { createLinkedStore, type LinkedStore, sendEvent, STOCK_EVENT } from '../support/inventory';
import { type Line, openLine } from '../support/raw-socket';
import { until } from '../support/until';
import { versionedMenu } from '../support/versioned-menu';

/*
 * One user or stranger does the worst, and another is answered as ever. `attacker` is alone with what callers share, so
 * each test also shows that it may have three quarters of it.
 */
const MEGABYTE = 1_048_576;

let api: TestApi;
let logged = '';
let attacker: LinkedStore;
let other: LinkedStore;
const lines: Line[] = [];

beforeAll(async () => {
  const logTo = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  api = await startTestApi(
    {
      BODY_MEMORY: '32MB',
      WORKING_REQUESTS: '8',
      WAITING_REQUESTS: '8',
      ACK_WAIT: '5s',
      TRUSTED_PROXIES: '127.0.0.1/32',
      LOG_LEVEL: 'warn',
    },
    { logTo },
  );
  attacker = await createLinkedStore(api, 'Attacker');
  other = await createLinkedStore(api, 'Other');
});
afterAll(async () => {
  for (const line of lines) line.hangUp();
  await api.stop();
});

/** A request whose body is declared, begun and then never goes on. */
async function fallSilent(head: string, declared: number, sent: number): Promise<Line> {
  const line = await openLine(api.url);
  lines.push(line);
  line.send(`${head}Host: x\r\nContent-Length: ${declared}\r\n\r\n`);
  line.send(Buffer.alloc(sent, 0x20));
  return line;
}

const newStore = (caller: TestCaller) =>
  caller.post('/store', { name: randomUUID(), country_code: 'MX' });

/** Keeps everybody from writing to a table during `work`. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await api.sql.begin(async (tx) => {
    await tx`lock table ${tx(table)}`;
    await work();
  });
}

const untilBlocked = (table: string, statements: number) =>
  until(async () => (await countBlocked(api.sql, table)) === statements);

const statusesOf = async (answers: readonly Promise<TestAnswer>[]) =>
  (await Promise.all(answers)).map(({ status }) => status);

const warnings = () =>
  logged
    .split('\n')
    .filter((line) => line.includes('a bound was reached'))
    .map((line) => JSON.parse(line) as { readonly bound: string; readonly key: string });

test('bodies of one user that fall silent leave memory for others, and are ended', async () => {
  const { owner } = attacker;
  const head =
    `POST /api/v1/menus/upload HTTP/1.1\r\nAuthorization: Bearer ${owner.token}\r\n` +
    'Content-Type: application/json\r\n';
  const silent = await Promise.all(
    Array.from({ length: 8 }, () => fallSilent(head, 10 * MEGABYTE, 4_200_000)),
  );
  // Each has memory for 8 MB: three have all that a user may have.
  await untilUsed(api, 'body_memory', 24 * MEGABYTE);
  const refused = silent.filter((line) => line.heard().statuses[0] === 503);
  expect(refused).toHaveLength(5);
  expect((await newStore(owner)).status).toBe(503);
  const event = sendEvent(other, 'stock', STOCK_EVENT);
  for (let n = 0; n < 5; n += 1) expect((await newStore(other.owner)).status).toBe(201);
  expect((await event).status).toBe(202);
  const ended = silent.filter((line) => !refused.includes(line));
  for (const line of ended) {
    const { statuses, text, closed } = await line.closed();
    expect([statuses, closed]).toEqual([[408], true]);
    expect(text).toContain('The request body arrived too slowly.');
    break;
  }
  // What is left is less than half of all: a slow line costs nobody anything.
  await until(async () => (await boundOf(api, 'body_memory')).used <= 16 * MEGABYTE);
  for (const line of silent) line.hangUp();
  await untilUsed(api, 'body_memory', 0);
  expect(warnings().filter(({ bound }) => bound === 'body_memory')).toEqual([
    expect.objectContaining({ bound: 'body_memory', key: owner.userId }),
  ]);
}, 30_000);

const callbackHead = (address: string) =>
  'POST /callbacks/app-c/3 HTTP/1.1\r\ndidi-header-sign: 00000000000000000000000000000000\r\n' +
  `X-Forwarded-For: ${address}\r\nContent-Type: application/json\r\n`;

test('callbacks of one stranger that fall silent leave memory for those of others, and for signing in', async () => {
  // One network has many addresses of v6.
  const silent = await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      fallSilent(callbackHead(`2001:db8::${n + 1}`), MEGABYTE, 524_388),
    ),
  );
  await untilUsed(api, 'unknown_senders_memory', 12 * MEGABYTE);
  await until(() => silent.filter((line) => line.heard().statuses[0] === 503).length === 4);
  const callback = await fetch(`${api.url}/callbacks/app-c/3`, {
    method: 'POST',
    headers: { 'didi-header-sign': '0'.repeat(32), 'x-forwarded-for': '203.0.113.9' },
    body: Buffer.alloc(MEGABYTE, 0x20),
  });
  expect(callback.status).toBe(401);
  const signIn = await fetch(`${api.url}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': '2001:db8:0:1::1',
    },
    body: new URLSearchParams({ token: other.owner.token }),
  });
  expect(signIn.status).toBe(303);
  for (const line of silent) line.hangUp();
  await untilUsed(api, 'unknown_senders_memory', 0);
  expect(warnings()).toContainEqual(
    expect.objectContaining({ bound: 'unknown_senders_memory', key: '2001:db8:0:0' }),
  );
});

test('requests of one user at work leave permits for others; a republish takes one too', async () => {
  const working: Promise<TestAnswer>[] = [];
  await whileLocked('delivery', async () => {
    for (let n = 0; n < 6; n += 1) working.push(sendEvent(attacker, 'stock', STOCK_EVENT));
    await untilUsed(api, 'working_requests', 6);
    expect((await sendEvent(attacker, 'stock', STOCK_EVENT)).status).toBe(503);
    const upload = '/menus/uploads/upl_0190c2d5e6f77a8b9c0d1e2f3a4b5c6d/republish';
    expect((await attacker.owner.post(upload, {})).status).toBe(503);
    expect((await newStore(other.owner)).status).toBe(201);
    expect((await other.owner.post(upload, {})).status).toBe(404);
  });
  expect(await statusesOf(working)).toEqual([202, 202, 202, 202, 202, 202]);
  await untilUsed(api, 'waiting_requests', 0);
});

test('requests of one user that wait for an outcome leave permits for others', async () => {
  const send = () => sendEvent(attacker, 'stock', STOCK_EVENT);
  const waiting = Array.from({ length: 6 }, send);
  await untilUsed(api, 'waiting_requests', 6);
  // Past it the 202 comes at once.
  expect((await send()).status).toBe(202);
  expect((await boundOf(api, 'waiting_requests')).used).toBe(6);
  const others = sendEvent(other, 'stock', STOCK_EVENT);
  await untilUsed(api, 'waiting_requests', 7);
  await Promise.all([...waiting, others]);
  expect(warnings()).toContainEqual(
    expect.objectContaining({ bound: 'waiting_requests', key: attacker.owner.userId }),
  );
});

test('reads of one user, however slow and many, leave connections to those of others', async () => {
  const reads: Promise<TestAnswer>[] = [];
  const upload = '/menus/uploads/upl_0190c2d5e6f77a8b9c0d1e2f3a4b5c6d';
  await whileLocked('menu_upload', async () => {
    for (let n = 0; n < 40; n += 1) reads.push(attacker.owner.get(upload));
    await untilBlocked('menu_upload', 10);
    expect((await other.owner.get('/stores')).status).not.toBe(503);
    expect((await other.owner.get('/webhooks/deliveries')).status).toBe(200);
    expect((await newStore(other.owner)).status).toBe(201);
  });
  expect(new Set(await statusesOf(reads))).toEqual(new Set([404]));
});

test.each([
  ['menu_upload', '/menus/uploads?state=failed'],
  ['ended_delivery', '/webhooks/deliveries?state=exhausted'],
  ['availability_mark', '/menus/availability'],
])('lists of one user that search %s do so two at a time', async (table, path) => {
  const lists: Promise<TestAnswer>[] = [];
  await whileLocked(table, async () => {
    for (let n = 0; n < 10; n += 1) lists.push(attacker.owner.get(path));
    await untilBlocked(table, 2);
    lists.push(other.owner.get(path));
    await untilBlocked(table, 3);
  });
  expect(new Set(await statusesOf(lists))).toEqual(new Set([200]));
});

const rollout = (caller: TestCaller) =>
  caller.post('/menus/rollouts', {
    targets: Array.from({ length: 20 }, (_, n) => ({ store_id: 900_000 + n, integration_id: 1 })),
    ...versionedMenu(1),
  });

test('rollouts of one user are written one after another, beside those of another', async () => {
  const started: Promise<TestAnswer>[] = [];
  await whileLocked('rollout_target', async () => {
    // With the other's they hold five of six permits: the last quarter is not for who holds one of eight already.
    for (let n = 0; n < 4; n += 1) started.push(rollout(attacker.owner));
    await untilUsed(api, 'large_inserts', 4);
    await untilBlocked('rollout_target', 1);
    started.push(rollout(other.owner));
    await untilBlocked('rollout_target', 2);
    expect((await newStore(other.owner)).status).toBe(201);
  });
  for (const status of await statusesOf(started)) expect([202, 409]).toContain(status);
});
