import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseCidrs } from '../../../src/platform/outbound/addresses';
import {
  createOutboundClient,
  type GuardedClient,
} from '../../../src/platform/outbound/http-client';
import {
  type BehaviourName,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../../support/misbehaving-server';
import { until } from '../../support/until';

let server: MisbehavingServer;
let client: GuardedClient;

beforeEach(async () => {
  server = await startMisbehavingServer();
  client = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    connections: 3,
    // Longer than a busy machine takes between two requests in a row.
    idleMs: 1_500,
  });
});

afterEach(async () => {
  await client.close();
  await server.close();
});

function post(behaviour: BehaviourName, timeoutMs = 2_000) {
  return client.request({ method: 'POST', url: server.url(behaviour), body: '{}', timeoutMs });
}

it('requests in a row share one connection', async () => {
  for (let i = 0; i < 20; i += 1) expect(await post('no-content')).toMatchObject({ status: 204 });
  expect(server.accepted()).toBe(1);
});

it('requests at once use up to the limit of connections; the others wait', async () => {
  const results = await Promise.all(Array.from({ length: 50 }, () => post('no-content')));
  expect(results.every((result) => result.kind === 'response')).toBe(true);
  expect(server.accepted()).toBe(3);
});

it('a request that waits for a connection until its deadline fails with nothing sent', async () => {
  const hanging = [post('hang', 500), post('hang', 500), post('hang', 500)];
  const before = await post('no-content', 50);
  expect(before).toMatchObject({ kind: 'failed', code: 'timeout', sent: 'none' });
  await Promise.all(hanging);
  expect(server.requests.filter((request) => request.includes('/no-content'))).toEqual([]);
  expect(await post('no-content')).toMatchObject({ status: 204 });
});

it('hanging requests to one origin do not hold up another', async () => {
  const other = await startMisbehavingServer();
  const hanging = Array.from({ length: 10 }, () => post('hang', 2_000));
  const result = await client.request({ method: 'GET', url: other.url('hello'), timeoutMs: 1_800 });
  expect(result).toMatchObject({ kind: 'response', status: 200 });
  await Promise.all(hanging);
  await other.close();
});

it('a server that closes after each answer gets a new connection for each request', async () => {
  for (let i = 0; i < 5; i += 1)
    expect(await post('no-content-and-close')).toMatchObject({ status: 204 });
  expect(server.accepted()).toBe(5);
});

it('a kept connection that is reset under the next request leaves the outcome unknown', async () => {
  expect(await post('reset-second')).toMatchObject({ status: 204 });
  expect(await post('reset-second')).toMatchObject({ kind: 'failed', code: 'reset', sent: 'some' });
  expect(server.accepted()).toBe(1);
  expect(server.requests.length).toBe(2);
});

it('a connection that the server closed while idle is replaced', async () => {
  expect(await post('no-content')).toMatchObject({ status: 204 });
  const { port } = server;
  await server.close();
  await until(() => client.stats().origins === 0);
  expect(
    await client.request({ method: 'GET', url: `http://127.0.0.1:${port}/`, timeoutMs: 1_000 }),
  ).toMatchObject({
    code: 'connect_refused',
    sent: 'none',
  });
});

it('unused connections are closed and their origins forgotten', async () => {
  const others = await Promise.all(Array.from({ length: 10 }, () => startMisbehavingServer()));
  for (const other of others)
    await client.request({ method: 'GET', url: other.url('no-content'), timeoutMs: 5_000 });
  expect(client.stats()).toEqual({ origins: 10, connections: 10 });
  await until(() => client.stats().origins === 0);
  expect(client.stats().connections).toBe(0);
  await until(() => others.every((other) => other.open() === 0));
  await Promise.all(others.map((other) => other.close()));
});

it('origins that cannot be reached are forgotten at once', async () => {
  const gone = await startMisbehavingServer();
  await gone.close();
  await client.request({ method: 'GET', url: gone.url('hello'), timeoutMs: 1_000 });
  expect(client.stats()).toEqual({ origins: 0, connections: 0 });
});

it.each(['hang', 'endless-body', 'interim-forever', 'garbage', 'drip-head'] as const)(
  'the connection of a request that ended badly (%s) is closed',
  async (behaviour) => {
    await post(behaviour, 100);
    expect(client.stats()).toEqual({ origins: 0, connections: 0 });
    await until(() => server.open() === 0);
  },
);

it('close lets a running request end, refuses new ones and leaves nothing open', async () => {
  await post('no-content');
  const running = post('hang', 150);
  const closing = client.close();
  expect(await post('no-content')).toMatchObject({ kind: 'failed', code: 'aborted', sent: 'none' });
  expect(await running).toMatchObject({ kind: 'failed', code: 'timeout' });
  await closing;
  await client.close();
  await until(() => server.open() === 0);
});

it('a request that may no longer be sent when its connection is ready sends nothing', async () => {
  const url = server.url('no-content');
  const request = { method: 'POST', url, body: '{}', timeoutMs: 2_000 } as const;
  const result = await client.request({ ...request, maySend: () => false });
  expect(result).toMatchObject({ kind: 'failed', code: 'aborted', sent: 'none' });
  expect(server.requests).toEqual([]);
  expect(await client.request({ ...request, maySend: () => true })).toMatchObject({ status: 204 });
});

it('under constant load a name that has moved is followed as soon as the connections are old', async () => {
  let address = '127.0.0.1';
  let lookups = 0;
  const seen = { '127.0.0.1': 0, '127.0.0.2': 0 };
  const hosts = createServer((request, response) => {
    seen[request.socket.localAddress as keyof typeof seen] += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => hosts.listen(0, '0.0.0.0', resolve));
  const { port } = hosts.address() as AddressInfo;
  const aging = createOutboundClient({
    allowCidrs: parseCidrs('127.0.0.0/8'),
    userAgent: 'test',
    maxAgeMs: 600,
    lookup() {
      lookups += 1;
      return Promise.resolve([address]);
    },
  });
  const load = async (ms: number): Promise<void> => {
    for (const endsAt = performance.now() + ms; performance.now() < endsAt;) {
      const url = `http://moving.test:${port}/`;
      expect(await aging.request({ method: 'GET', url, timeoutMs: 5_000 })).toMatchObject({
        status: 204,
      });
      await delay(20);
    }
  };
  await load(300);
  expect(lookups).toBe(1);
  address = '127.0.0.2';
  await load(900);
  const before = { ...seen };
  await load(300);
  expect(seen['127.0.0.1']).toBe(before['127.0.0.1']);
  expect(seen['127.0.0.2']).toBeGreaterThan(before['127.0.0.2']);
  await aging.close();
  await new Promise((resolve) => hosts.close(resolve));
});
