import { PassThrough } from 'node:stream';
import { startTestApi, type TestApi } from '../support/api';
import { sendAsIs } from '../support/declared-request';

let api: TestApi;
const lines: string[] = [];
beforeAll(async () => {
  const written = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter(Boolean));
  });
  api = await startTestApi({ TRUSTED_PROXIES: '127.0.0.2', LOG_LEVEL: 'info' }, { logTo: written });
});
afterAll(() => api.stop());

const PROXY = '127.0.0.2';
const DIRECT = '127.0.0.1';

function ask(from: string, forwarded: string, headers: Record<string, string> = {}) {
  return sendAsIs(api.url, {
    method: 'GET',
    path: '/api/v1/menus/uploads',
    from,
    headers: { authorization: 'Bearer bad', 'x-forwarded-for': forwarded, ...headers },
  });
}

async function fail(times: number, from: string, forwarded: string): Promise<number[]> {
  const answers: number[] = [];
  for (let n = 0; n < times; n += 1) answers.push((await ask(from, forwarded)).status);
  return answers;
}

const addressIn = (requestId: string): unknown =>
  lines.map((line) => JSON.parse(line)).find((line) => line.request_id === requestId)?.address;

test('bad tokens count only for the client that a trusted proxy names', async () => {
  expect(new Set(await fail(100, PROXY, '203.0.113.7'))).toEqual(new Set([401]));
  expect(await fail(1, PROXY, '203.0.113.7')).toEqual([429]);
  expect(await fail(1, PROXY, '1.1.1.1, 203.0.113.7')).toEqual([429]);
  expect(await fail(1, PROXY, '203.0.113.8')).toEqual([401]);
});

test('other clients cannot escape by naming another address each time', async () => {
  for (let n = 0; n < 100; n += 1) expect((await ask(DIRECT, `203.0.113.${n}`)).status).toBe(401);
  expect((await ask(DIRECT, '198.51.100.1')).status).toBe(429);
});

test('nobody escapes with the many v6 addresses that everybody with one has', async () => {
  for (let n = 1; n <= 100; n += 1) {
    expect((await ask(PROXY, `2001:db8:1:2:${n}::${n}`)).status).toBe(401);
  }
  expect((await ask(PROXY, '2001:db8:1:2:ffff::1')).status).toBe(429);
  expect((await ask(PROXY, '2001:db8:1:3::1')).status).toBe(401);
});

test('the log names the client', async () => {
  await ask(PROXY, '198.51.100.9', { 'x-request-id': 'behind' });
  await ask(DIRECT, '198.51.100.9', { 'x-request-id': 'in-front' });
  expect([addressIn('behind'), addressIn('in-front')]).toEqual(['198.51.100.9', DIRECT]);
});
