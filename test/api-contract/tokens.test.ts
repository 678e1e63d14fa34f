import { createToken, endToken } from '../../src/admin/users';
import { startTestApi, type TestApi, type TestCaller } from '../support/api';
import { send, startWorld } from './world';

let api: TestApi;
let owner: TestCaller;

beforeEach(async () => {
  // Failed authentications are counted per process and address, so each test has its own.
  api = await startTestApi();
  owner = await api.user();
});
afterEach(() => api.stop());

const ask = (authorization?: string, headers: Record<string, string> = {}) =>
  send(api, {
    method: 'GET',
    path: '/api/v1/menus/uploads',
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
  });

test('missing, malformed, unknown, expired and revoked tokens look alike to the last byte', async () => {
  const expired = await createToken(api, { userId: owner.userId, expiresInSeconds: 0 });
  const revoked = await createToken(api, { userId: owner.userId, expiresInSeconds: null });
  await endToken(api, revoked.token_id);
  const forms = new Set<string>();
  for (const authorization of [
    undefined,
    '',
    'Bearer',
    'Bearer nobody',
    owner.token,
    `Basic ${owner.token}`,
    `Bearer ${owner.token} ${owner.token}`,
    `Bearer ${'x'.repeat(5_000)}`,
    `Bearer ${expired.token}`,
    `Bearer ${revoked.token}`,
  ]) {
    const answer = await ask(authorization, { 'x-request-id': 'same' });
    const shown = [...answer.headers].filter(([name]) => name !== 'date');
    forms.add(JSON.stringify([answer.status, shown, answer.text]));
  }
  expect([...forms]).toEqual([expect.stringMatching(/^\[401,.*"Unauthorized\."\]$/)]);
});

test('the scheme is taken in any case', async () => {
  expect((await ask(`bearer ${owner.token}`)).status).toBe(200);
  expect((await ask(`BEARER  ${owner.token} `)).status).toBe(200);
});

const LIMITS = ['ratelimit-policy', 'ratelimit'];

test('every answer to a known user says what is left of the rate limit, whatever it is', async () => {
  const user = await api.user();
  for (const path of ['/me', '/menus/uploads/upl_1', '/menus/uploads?limit=0']) {
    const { headers } = await user.get(path);
    for (const name of LIMITS) expect(headers.get(name)).toMatch(/^"token";[qr]=\d+;[wt]=\d+$/);
  }
  const others = [
    await ask('Bearer nobody'),
    await user.get('/nothing'),
    await user.post('/me', {}),
  ];
  expect(others.map(({ status }) => status)).toEqual([401, 404, 405]);
  for (const { headers } of others) for (const name of LIMITS) expect(headers.get(name)).toBeNull();
});

test('401 is the plain string for problem+json clients too', async () => {
  const answer = await ask('Bearer nobody', { accept: 'application/problem+json' });
  expect([answer.status, answer.text]).toEqual([401, 'Unauthorized.']);
});

test('a revoked token ends within five seconds, an expired one at once', async () => {
  const soon = await createToken(api, { userId: owner.userId, expiresInSeconds: 1 });
  expect((await ask(`Bearer ${soon.token}`)).status).toBe(200);
  const revoked = await createToken(api, { userId: owner.userId, expiresInSeconds: null });
  expect((await ask(`Bearer ${revoked.token}`)).status).toBe(200);
  await endToken(api, revoked.token_id);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect((await ask(`Bearer ${soon.token}`)).status).toBe(401);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect((await ask(`Bearer ${revoked.token}`)).status).toBe(401);
});

test('past 100 bad tokens in a minute an address gets 429 for them, and its good ones pass', async () => {
  for (let n = 0; n < 100; n += 1) expect((await ask(`Bearer bad-${n}`)).status).toBe(401);
  const late = await ask('Bearer bad');
  expect(late).toMatchObject({
    status: 429,
    json: { message: ['Too many requests.'], data: null },
  });
  const wait = Number(late.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await ask(`Bearer ${owner.token}`)).status).toBe(200);
});

test('every endpoint has the rate limit of the token, between the token and the body', async () => {
  // The world is made by one token and needs a dozen of the 20 requests that it has at once.
  const world = await startWorld({ RATE_LIMIT_PER_SECOND: '10' });
  try {
    for (const { method, path } of world.requests()) {
      const user = await world.api.user();
      const headers = { authorization: `Bearer ${user.token}`, 'content-type': 'text/plain' };
      const answers = await Promise.all(
        Array.from({ length: 45 }, () => send(world.api, { method, path, headers })),
      );
      const limited = answers.filter(({ status }) => status === 429);
      // Twice the rate at once; the rest has to be faster than the bucket fills to be refused.
      expect(answers.length - limited.length).toBeGreaterThanOrEqual(20);
      expect(limited.length).toBeGreaterThan(0);
      expect(limited[0]?.json).toEqual({ message: ['Too many requests.'], data: null });
    }
  } finally {
    await world.stop();
  }
  // Some 3,000 requests.
}, 180_000);
