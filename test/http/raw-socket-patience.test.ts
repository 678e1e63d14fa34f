import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { boundOf, untilUsed } from '../support/bounds';
import { type Line, openLine } from '../support/raw-socket';

const MEGABYTE = 1_048_576;
const PATIENCE = { headersMs: 1_000, requestMs: 2_000, leastBytes: 1, unreadMs: 30_000 };
/** It is looked once a second, and the machine may be busy. */
const LATER = 15_000;

let api: TestApi;
let owner: TestCaller;
const lines: Line[] = [];

beforeAll(async () => {
  api = await startTestApi({ BODY_MEMORY: '20MB' }, { patience: PATIENCE });
  owner = await api.user('inventory:create');
});
afterAll(async () => {
  for (const line of lines) line.hangUp();
  await api.stop();
});
afterEach(async () => {
  // Whatever became of a body, its memory is free again.
  await untilUsed(api, 'body_memory', 0);
});

async function open(): Promise<Line> {
  const line = await openLine(api.url);
  lines.push(line);
  return line;
}

const UPLOAD = '/api/v1/menus/upload';
const head = (headers: string, path = UPLOAD): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n` +
  `Content-Type: application/json\r\n${headers}\r\n`;

/** Sends the text bit by bit until the server has had enough. */
async function drip(line: Line, text: string, everyMs = 50): Promise<void> {
  for (const character of text) {
    if (line.heard().closed) return;
    line.send(character);
    await sleep(everyMs);
  }
}

describe('a slow client', () => {
  test.concurrent('with its headers gets a 408 and is cut off', async () => {
    const line = await open();
    await drip(line, `GET /health/live HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(100)}`);
    const { statuses, ms } = await line.closed(LATER);
    expect(statuses).toEqual([408]);
    expect(ms).toBeGreaterThan(PATIENCE.headersMs);
    expect(ms).toBeLessThan(PATIENCE.headersMs + LATER);
  });

  test.concurrent('and says nothing at all is cut off', async () => {
    const line = await open();
    expect((await line.closed(PATIENCE.headersMs + LATER)).statuses).toEqual([408]);
  });

  test.concurrent.each([
    ['of a known length', `Content-Length: ${MEGABYTE}\r\n`, '{"menus":['],
    ['of chunks', 'Transfer-Encoding: chunked\r\n', 'fff\r\n{"menus":['],
    ['of chunks of one byte', 'Transfer-Encoding: chunked\r\n', '1\r\n{\r\n'.repeat(20)],
    ['in gzip', `Content-Encoding: gzip\r\nContent-Length: ${MEGABYTE}\r\n`, '\x1f\x8b'],
  ])('with a body %s is cut off, and gives its memory back', async (_name, headers, beginning) => {
    const line = await open();
    line.send(head(headers) + beginning);
    await drip(line, '0'.repeat(100));
    const { statuses, ms } = await line.closed(LATER);
    expect(statuses).toEqual([408]);
    expect(ms).toBeLessThan(PATIENCE.requestMs + LATER);
  });

  test.concurrent('with an unread body is cut off too', async () => {
    const line = await open();
    line.send(head('Content-Length: 1000\r\n').replace('Bearer', 'Basic'));
    await drip(line, '0'.repeat(200));
    const { statuses } = await line.closed(LATER);
    expect(statuses[0]).toBe(401);
    expect(statuses.every((status) => status < 500)).toBe(true);
  });

  test('never delays other clients, however many there are', async () => {
    const slow = await Promise.all(Array.from({ length: 300 }, () => open()));
    for (const line of slow) line.send('POST /api/v1/menus/upload HTTP/1.1\r\nHost:');
    const startedAt = performance.now();
    expect((await owner.get('/menus/uploads')).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const ends = await Promise.all(slow.map((line) => line.closed(PATIENCE.headersMs + LATER)));
    for (const { statuses } of ends) expect(statuses).toEqual([408]);
  });
});

describe('a client that goes away', () => {
  test.each([
    ['in the middle of a body', `Content-Length: ${MEGABYTE}\r\n`, '{"menus":['],
    ['in the middle of chunks', 'Transfer-Encoding: chunked\r\n', `fff\r\n${'['.repeat(500)}`],
    ['in the middle of gzip', `Content-Encoding: gzip\r\nContent-Length: ${MEGABYTE}\r\n`, 'x'],
    ['behind the headers', `Content-Length: ${MEGABYTE}\r\n`, ''],
  ])('%s gives its memory back', async (_name, headers, beginning) => {
    const before = await refusals();
    for (const leave of [
      (line: Line) => line.hangUp(),
      (line: Line) => line.socket.resetAndDestroy(),
    ]) {
      const line = await open();
      line.send(head(headers) + beginning);
      await sleep(50);
      leave(line);
      await untilUsed(api, 'body_memory', 0);
    }
    expect(await refusals()).toBe(before);
  });

  test.each([
    ['says that no more will come', `Content-Length: ${MEGABYTE}\r\n`, '{"menus":['],
    ['the same with chunks', 'Transfer-Encoding: chunked\r\n', `fff\r\n${'['.repeat(500)}`],
  ])('but %s gets an answer that this was no request', async (_name, headers, beginning) => {
    const line = await open();
    line.send(head(headers) + beginning);
    line.socket.end();
    expect((await line.closed()).statuses).toEqual([400]);
  });

  test('while its answer is made does no harm', async () => {
    for (let n = 0; n < 20; n += 1) {
      const line = await open();
      line.send(`${head('Content-Length: 2\r\n')}{}`);
      line.hangUp();
    }
    expect((await owner.get('/menus/uploads')).status).toBe(200);
  });
});

async function refusals(): Promise<number> {
  return (await boundOf(api, 'body_memory')).hits;
}

async function post(packed: Buffer, path = UPLOAD): Promise<number | undefined> {
  const line = await open();
  line.send(head(`Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`, path));
  line.send(packed);
  return (await line.answers(1)).statuses[0];
}

describe('gzip', () => {
  test('that unpacks to a thousand times its size is refused on the way', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE, 32));
    expect(bomb.length).toBeLessThan(MEGABYTE);
    const before = process.memoryUsage().rss;
    const statuses = await Promise.all([bomb, bomb, bomb, bomb].map((each) => post(each)));
    for (const status of statuses) expect([413, 503]).toContain(status);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MEGABYTE);
  });

  test('of a gzip is decoded once', async () => {
    expect(await post(gzipSync(gzipSync('{}')))).toBe(400);
  });

  test.each([
    ['that ends early', gzipSync('{"menus":[]}').subarray(0, -9)],
    ['with a wrong checksum', gzipSync('{"menus":[]}').fill(0, 24)],
    ['that is empty', Buffer.alloc(0)],
    ['of bytes that mean nothing', Buffer.from('1f8b08000000000000ff', 'hex')],
  ])('%s is no gzip', async (_name, packed) => {
    expect(await post(packed)).toBe(400);
  });

  test('of many members is one text, and counted as one', async () => {
    const small = gzipSync(Buffer.alloc(64 * 1024, 32));
    expect(
      await post(Buffer.concat([...Array.from({ length: 159 }, () => small), gzipSync('{}')])),
    ).toBe(422);
    expect(
      await post(Buffer.concat([...Array.from({ length: 161 }, () => small), gzipSync('{}')])),
    ).toBe(413);
  });
});

test('no answer of these tests was a 5xx other than the 503 of a full process', async () => {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  expect(text).not.toMatch(/http_request_duration_seconds_count\{[^}]*status="5(?!03)/);
});
