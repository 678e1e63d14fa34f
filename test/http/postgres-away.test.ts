import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '../../src/run/routes';
import { createLog } from '../../src/platform/observe/log';
import { runApi, type RunningApi } from '../../src/run/run-api';
import { recordAnswer } from '../api-contract/record-answer';
import { startWorld, type World } from '../api-contract/world';
import { declaredRequest, sendAsIs, type WireAnswer } from '../support/declared-request';
import { type FaultProxy, startPostgresProxy } from '../support/fault-proxy';
import { until } from '../support/until';

/* Every route that is declared, against a Postgres that is away in each of its ways. */

let world: World;
let proxy: FaultProxy;
let api: RunningApi;

beforeAll(async () => {
  world = await startWorld();
  const through = await startPostgresProxy(world.api.config.DATABASE_URL);
  ({ proxy } = through);
  const config = { ...world.api.config, DATABASE_URL: through.url };
  api = await runApi({ config, log: createLog('silent') });
});
afterEach(() => {
  proxy.mode = 'pass';
});
afterAll(async () => {
  await api.stop();
  await proxy.close();
  await world.stop();
});

const WITH_TOKEN = ROUTES.filter(({ access }) => access.kind === 'token');

async function call(route: (typeof ROUTES)[number]): Promise<WireAnswer> {
  const request = declaredRequest(route, world.ids);
  const answer = await sendAsIs(api.url, {
    ...request,
    path: request.path + request.query,
    headers: {
      authorization: `Bearer ${world.owner.token}`,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  note(request, answer);
  return answer;
}

function note({ method, path }: { method: string; path: string }, answer: WireAnswer): void {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
  recordAnswer({ method, url: path, status: answer.status, headers, text: answer.text });
}

const AWAY = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': '5' }),
  text: '{"message":["Something went wrong."],"data":null}',
};

async function readiness(): Promise<unknown> {
  const { status, text } = await sendAsIs(api.url, { method: 'GET', path: '/health/ready' });
  return { status, postgres: JSON.parse(text).postgres };
}

test('refused and cut: every route with a token answers 503 with Retry-After, and soon works again', async () => {
  proxy.mode = 'refuse';
  proxy.cut();
  const answers = await Promise.all(WITH_TOKEN.map(call));
  for (const answer of answers) expect(answer).toMatchObject(AWAY);
  expect(await readiness()).toEqual({ status: 503, postgres: 'unreachable' });
  proxy.mode = 'pass';
  const backAt = Date.now();
  await until(async () => ((await readiness()) as { status: number }).status === 200);
  expect(Date.now() - backAt).toBeLessThan(5_000);
  for (const answer of await Promise.all(WITH_TOKEN.map(call))) {
    expect(answer.status).not.toBe(503);
    expect(answer.status).not.toBe(500);
  }
});

test('an app’s callback is answered 503 too, so that the app repeats it', async () => {
  proxy.mode = 'refuse';
  proxy.cut();
  const request = { method: 'POST', path: '/callbacks/app-c/1' };
  const answer = await sendAsIs(api.url, {
    ...request,
    body: '{}',
    headers: { 'didi-header-sign': 'a'.repeat(32), 'content-type': 'application/json' },
  });
  note(request, answer);
  expect(answer).toMatchObject(AWAY);
});

test('routes without a token still work: live, the document, the metrics', async () => {
  proxy.mode = 'refuse';
  proxy.cut();
  const paths = ['/health/live', '/openapi.json', '/metrics'];
  const answers = await Promise.all(
    paths.map((path) => sendAsIs(api.url, { method: 'GET', path })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a client that asks for problem+json gets it, with Retry-After', async () => {
  proxy.mode = 'refuse';
  proxy.cut();
  const answer = await sendAsIs(api.url, {
    method: 'GET',
    path: '/api/v1/webhooks/deliveries',
    headers: {
      authorization: `Bearer ${world.owner.token}`,
      accept: 'application/problem+json',
    },
  });
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'unavailable' });
});

test('cut repeatedly during requests, answers are either successes or 503', async () => {
  const endsAt = Date.now() + 3_000;
  const statuses = new Map<number, number>();
  const caller = async (index: number) => {
    while (Date.now() < endsAt) {
      const route = WITH_TOKEN[index % WITH_TOKEN.length];
      if (!route) return;
      const { status } = await call(route);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const cutting = (async () => {
    while (Date.now() < endsAt) {
      await sleep(Math.random() * 50);
      proxy.cut();
    }
  })();
  await Promise.all([cutting, ...Array.from({ length: WITH_TOKEN.length }, (_, i) => caller(i))]);
  expect(statuses.get(503)).toBeGreaterThan(0);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([503]);
});

test('with a read-only Postgres the process is not ready, and writing requests get 503', async () => {
  const name = new URL(world.api.config.DATABASE_URL).pathname.slice(1);
  await world.api.sql.unsafe(`alter database ${name} set default_transaction_read_only = on`);
  proxy.cut(); // only new sessions see it
  await sleep(50);
  expect(await readiness()).toEqual({ status: 503, postgres: 'read_only' });
  const store = WITH_TOKEN.find(
    ({ path, method }) => path === '/api/v1/store' && method === 'post',
  );
  expect(store && (await call(store))).toMatchObject(AWAY);
  await world.api.sql.unsafe(`alter database ${name} reset default_transaction_read_only`);
  proxy.cut();
  await sleep(300);
  expect(await readiness()).toEqual({ status: 200, postgres: 'ok' });
});

test('with a silent Postgres requests are answered in time, and new ones work within 5 s of its return', async () => {
  await call(WITH_TOKEN[0] ?? (ROUTES[0] as (typeof ROUTES)[number]));
  proxy.mode = 'swallow';
  const waiting = WITH_TOKEN.slice(0, 5).map(call);
  await sleep(1_000);
  proxy.mode = 'pass';
  const backAt = Date.now();
  await until(async () => ((await readiness()) as { status: number }).status === 200);
  expect(Date.now() - backAt).toBeLessThan(5_000);
  for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(AWAY);
});
