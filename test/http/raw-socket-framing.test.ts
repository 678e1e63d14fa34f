import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { type Line, openLine } from '../support/raw-socket';

let api: TestApi;
let owner: TestCaller;
const lines: Line[] = [];

beforeAll(async () => {
  api = await startTestApi();
  owner = await api.user('inventory:create');
});
afterAll(() => api.stop());
afterEach(() => {
  for (const line of lines.splice(0)) line.hangUp();
});

async function open(): Promise<Line> {
  const line = await openLine(api.url);
  lines.push(line);
  return line;
}

const CREATE = '/api/v1/inventory/system/create';
/** The head of a request with a token; `headers` end with their line ends. */
const head = (method: string, path: string, headers: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${owner.token}\r\n` +
  `Content-Type: application/json\r\n${headers}\r\n`;
const SMUGGLED = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';

/** A proxy that believes the other reading sees a second request where we see a body, or the other way round. */
const FRAMINGS: readonly (readonly [name: string, headers: string, rest: string])[] = [
  ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'],
  ['two lengths', 'Content-Length: 2\r\nContent-Length: 40\r\n', '{}'],
  ['the same length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}'],
  ['a list of lengths', 'Content-Length: 2, 2\r\n', '{}'],
  ['a signed length', 'Content-Length: +2\r\n', '{}'],
  ['a negative length', 'Content-Length: -2\r\n', '{}'],
  ['a length in hex', 'Content-Length: 0x2\r\n', '{}'],
  ['a length with a blank in it', 'Content-Length: 1 2\r\n', '{}'],
  ['a length beyond all numbers', 'Content-Length: 99999999999999999999999\r\n', '{}'],
  ['a blank before the colon', 'Content-Length : 2\r\n', '{}'],
  ['a blank before the name', ' Content-Length: 2\r\n', '{}'],
  ['another coding behind chunked', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['chunked after a vertical tab', 'Transfer-Encoding:\x0bchunked\r\n', '0\r\n\r\n'],
  ['chunked on a folded line', 'Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'],
  ['a NUL in a header', 'X: a\0b\r\nContent-Length: 2\r\n', '{}'],
  ['a bare CR in a header', 'X: a\rTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['a chunk size that is no number', 'Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a negative chunk size', 'Transfer-Encoding: chunked\r\n', '-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk size in 0x', 'Transfer-Encoding: chunked\r\n', '0x2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk size beyond all numbers', 'Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\n{}'],
  ['a chunk longer than it says', 'Transfer-Encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n'],
  ['a chunk without its line end', 'Transfer-Encoding: chunked\r\n', '2\r\n{}0\r\n\r\n'],
];

test.each(FRAMINGS)('a request with %s is one request or none', async (_name, headers, rest) => {
  const line = await open();
  line.send(head('POST', CREATE, headers) + rest + SMUGGLED);
  const heard = await line.closed(8_000).catch(() => line.heard());
  // Whatever it was taken for, nothing behind a framing that two servers may read in two ways is carried out.
  expect(heard.statuses).toEqual([400]);
  expect(heard.closed).toBe(true);
});

test('none of these requests created an inventory system', async () => {
  const rows = await api.sql`select from inventory_system`;
  expect(rows).toHaveLength(0);
});

test.each([
  ['plain text', 'hello\r\n\r\n', [400]],
  ['a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', [400]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a version that is not there', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', [400]],
  ['no host', 'GET /health/live HTTP/1.1\r\n\r\n', [400]],
  ['a method that is none', 'G\x01T / HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
  ['a method in small letters', 'get /health/live HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
  ['a blank in the target', 'GET /health /live HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
  ['a target with a control character', 'GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', []],
  [
    'an expectation',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
    [417],
  ],
])('%s is refused and the connection ends', async (_name, bytes, statuses) => {
  const line = await open();
  line.send(bytes);
  expect((await line.closed()).statuses).toEqual(statuses);
});

test.each([
  ['a request for another protocol', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
  [
    'one for HTTP/2',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n',
  ],
  ['HTTP/1.1 with blank lines in front', ''],
])('%s is answered as HTTP/1.1', async (_name, headers) => {
  const line = await open();
  line.send(`\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  expect((await line.answers(1)).statuses).toEqual([200]);
});

test.each(['GET /health/live HTTP/1.0', 'GET /health/live'])(
  'an older request like %j is answered and its connection closed',
  async (request) => {
    const line = await open();
    line.send(`${request}\r\n\r\n`);
    expect((await line.closed()).statuses).toEqual([200]);
  },
);

test('requests in a pipeline are answered in their order, each by its own token', async () => {
  const line = await open();
  const bodies = ['{"name":"One"}', '{"name":"Two"}', '{'];
  const posts = bodies.map(
    (body) => `${head('POST', CREATE, `Content-Length: ${body.length}\r\n`)}${body}`,
  );
  line.send(`${posts.join('')}GET /api/v1/menus/uploads HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`);
  const { statuses, text } = await line.answers(5);
  expect(statuses).toEqual([201, 201, 400, 401, 200]);
  expect(text.indexOf('One')).toBeLessThan(text.indexOf('Two'));
});

const EXPECTING = 'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n';

test('an unknown expectation is answered in its turn', async () => {
  const line = await open();
  line.send(`${SMUGGLED}${EXPECTING}${SMUGGLED}`);
  expect((await line.answers(3)).statuses).toEqual([200, 417, 200]);
});

test('a request without a host is answered in its turn, and nothing behind it is carried out', async () => {
  const line = await open();
  const body = '{"name":"Behind"}';
  const behind = `${head('POST', CREATE, `Content-Length: ${body.length}\r\n`)}${body}`;
  line.send(`${SMUGGLED}GET /health/live HTTP/1.1\r\n\r\n${behind}`);
  expect((await line.closed()).statuses).toEqual([200, 400]);
  await sleep(300);
  expect(await api.sql`select from inventory_system where name = 'Behind'`).toHaveLength(0);
});

test.each([
  ['of requests', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', 200],
  ['of unknown expectations', EXPECTING, 417],
])(
  'a long pipeline %s is answered whole, and does not keep others waiting',
  async (_name, request, status) => {
    const line = await open();
    line.send(request.repeat(1_000));
    await line.answers(1);
    expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
    // Another caller was answered while most of them still waited.
    expect(line.heard().statuses.length).toBeLessThan(1_000);
    const { statuses } = await line.answers(1_000);
    expect(new Set(statuses)).toEqual(new Set([status]));
  },
);

test('a body that is not read gets no 100 Continue', async () => {
  const line = await open();
  line.send(
    head('POST', CREATE, 'Content-Length: 99\r\nExpect: 100-continue\r\n').replace(
      'Bearer',
      'Basic',
    ),
  );
  expect((await line.answers(1)).statuses).toEqual([401]);
  const large = await open();
  large.send(head('POST', CREATE, 'Content-Length: 999999999\r\nExpect: 100-continue\r\n'));
  expect((await large.answers(1)).statuses).toEqual([413]);
  const read = await open();
  const body = '{"name":"Invited"}';
  read.send(head('POST', CREATE, `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`));
  expect((await read.answers(1)).statuses).toEqual([100]);
  read.send(body);
  expect((await read.answers(2)).statuses).toEqual([100, 201]);
});

describe('floods of headers', () => {
  test.each([
    ['one that is too long', `X: ${'x'.repeat(20_000)}\r\n`],
    ['a long name', `${'x'.repeat(20_000)}: x\r\n`],
    ['very many', 'abc: def\r\n'.repeat(5_000)],
    ['a long target', ''],
  ])('%s are refused by 431', async (name, headers) => {
    const line = await open();
    const target = name === 'a long target' ? `/${'x'.repeat(20_000)}` : '/health/live';
    line.send(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect((await line.closed()).statuses).toEqual([431]);
  });

  test('that never end are cut at 16 KB', async () => {
    const line = await open();
    line.send('GET /health/live HTTP/1.1\r\nHost: x\r\n');
    for (let n = 0; n < 40 && !line.heard().closed; n += 1) {
      line.send(`X-${n}: ${'x'.repeat(1_000)}\r\n`);
    }
    expect((await line.closed()).statuses).toEqual([431]);
  });

  test('behind a body of chunks are cut too', async () => {
    const line = await open();
    line.send(`${head('POST', CREATE, 'Transfer-Encoding: chunked\r\n')}2\r\n{}\r\n0\r\n`);
    line.send('X: y\r\n'.repeat(10_000));
    const { statuses } = await line.closed();
    expect(statuses.every((status) => status === 431 || status === 422)).toBe(true);
  });

  test('in the extensions of chunks are cut too', async () => {
    const line = await open();
    line.send(head('POST', CREATE, 'Transfer-Encoding: chunked\r\n'));
    line.send(`2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`);
    expect((await line.closed()).statuses).toEqual([413]);
  });
});

test('no connection of these tests leaks anything', async () => {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  expect(text).toMatch(/^bound_used\{bound="body_memory"\} 0$/m);
  expect(text).not.toMatch(/http_request_duration_seconds_count\{[^}]*status="5/);
});
