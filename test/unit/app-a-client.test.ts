import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { createAppA, STORE_WITHOUT_ORGANISATION } from '../../dev/sandbox/app-a/app-a';
import { UNKNOWN_STORE_UUID } from '../../dev/sandbox/app-simulator';
import { startSandbox, type Sandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';
import { createAppAClient } from '../../src/delivery-apps/app-a/client';
import { authBaseUrl } from '../../src/delivery-apps/app-a/rules';
import type {
  AppCredential,
  DeliveryAppClient,
  PushRequest,
} from '../../src/delivery-apps/app-client';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import type { OutboundClient } from '../../src/platform/outbound/types';
import { category, item, STORE, transform } from './app-a-menus';

const CREDENTIAL: AppCredential = { clientId: 'client', clientSecret: 'secret', store: {} };
const HOUR_MS = 3_600_000;

let now = Date.parse('2026-01-05T10:00:00Z');
let sandbox: Sandbox;
const servers: Server[] = [];
let http: OutboundClient;
let client: DeliveryAppClient;

beforeAll(async () => {
  http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.1/32'), userAgent: 'test' });
});

afterAll(() => http.close());

beforeEach(async () => {
  sandbox = await startSandbox({
    port: 0,
    parts: [simulateApp(createAppA({ clientId: 'client', clientSecret: 'secret' }))],
    clock: () => now,
  });
  client = clientOf(`${sandbox.url}/app-a`);
});

afterEach(async () => {
  await sandbox.close();
  for (const server of servers.splice(0)) server.close();
});

describe('a token of App A', () => {
  it('is valid for 30 days from the call', async () => {
    const before = Date.now();
    const result = await client.fetchToken(CREDENTIAL);
    expect(result).toMatchObject({ kind: 'token', token: expect.stringMatching(/^token_/) });
    const { expiresAt } = result as { expiresAt: number };
    expect(expiresAt - 30 * 24 * HOUR_MS).toBeGreaterThanOrEqual(before);
    expect(expiresAt - 30 * 24 * HOUR_MS).toBeLessThanOrEqual(Date.now());
  });

  it('is refused for a wrong secret, and the reason does not hold it', async () => {
    const result = await client.fetchToken({ ...CREDENTIAL, clientSecret: 'wrong' });
    expect(result).toEqual({ kind: 'refused', reason: 'invalid_client' });
  });

  it('is requested again after a server failure, although OAuth says 400', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(400).end('{"error":"server_error"}');
    });
    await expect(clientOf(baseUrl).fetchToken(CREDENTIAL)).resolves.toEqual({
      kind: 'retry',
      reason: 'server_error',
    });
  });

  it("is requested from the app's separate host for tokens", () => {
    expect(authBaseUrl('https://api.uber.com')).toBe('https://auth.uber.com');
    expect(authBaseUrl('http://127.0.0.1:4010/app-a')).toBe('http://127.0.0.1:4010/app-a');
  });

  it('is given 100 times an hour, then later', async () => {
    for (let call = 1; call <= 100; call += 1) await tokenNow();
    now += HOUR_MS / 4;
    await expect(client.fetchToken(CREDENTIAL)).resolves.toEqual({
      kind: 'retry',
      reason: 'status 429',
      afterMs: (HOUR_MS * 3) / 4,
    });
    now += (HOUR_MS * 3) / 4;
    await tokenNow();
  });

  it('dies as the oldest of 101', async () => {
    const tokens = [];
    for (let call = 1; call <= 100; call += 1) tokens.push(await tokenNow());
    const [oldest = '', second = ''] = tokens;
    await expect(push(menuAt('1000'), oldest)).resolves.toEqual({ kind: 'live' });
    now += HOUR_MS;
    await tokenNow();
    await expect(push(menuAt('1000'), oldest)).resolves.toEqual({ kind: 'token_expired' });
    await expect(push(menuAt('1000'), second)).resolves.toEqual({ kind: 'live' });
  });

  it('ends after 30 days', async () => {
    const token = await tokenNow();
    now += 30 * 24 * HOUR_MS;
    await expect(push(menuAt('1000'), token)).resolves.toEqual({ kind: 'token_expired' });
  });
});

describe('a push to App A', () => {
  it('replaces the menu as it was sent, compressed or not', async () => {
    const token = await tokenNow();
    for (const count of [1, 500]) {
      const payload = menuAt('1000', count);
      await expect(push(payload, token)).resolves.toEqual({ kind: 'live' });
      expect(await shownMenu()).toEqual(JSON.parse(payload.toString()));
    }
  });

  it('is compressed if it exceeds the first round trip', async () => {
    const seen: { encoding: string | undefined; body: Buffer }[] = [];
    const baseUrl = await listen((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const encoding = incoming.headers['content-encoding'];
        seen.push({ encoding, body: Buffer.concat(chunks) });
        response.writeHead(204).end();
      });
    });
    const payloads = [Buffer.alloc(14_600, ' '), Buffer.alloc(14_601, ' ')];
    for (const payload of payloads) {
      await clientOf(baseUrl).pushMenu(request(payload, 'token'));
    }
    expect(seen.map(({ encoding }) => encoding)).toEqual([undefined, 'gzip']);
    expect(gunzipSync(seen[1]?.body ?? '')).toEqual(payloads[1]);
  });

  it('is rejected with the rule that it breaks, and the old menu stays', async () => {
    const token = await tokenNow();
    const old = menuAt('1000');
    await push(old, token);
    await expect(push(Buffer.from('{"menus":[]}'), token)).resolves.toEqual({
      kind: 'rejected',
      reasons: ['Missing Field: categories'],
    });
    expect(await shownMenu()).toEqual(JSON.parse(old.toString()));
  });

  it.each([
    [UNKNOWN_STORE_UUID, 'The store was not found.'],
    [STORE_WITHOUT_ORGANISATION, 'orgUUID must be a valid UUID'],
    ['../../v1', 'invalid uuid'],
  ])('is rejected for store %s', async (appStoreId, reason) => {
    const foreign = { token: await tokenNow(), appStoreId, payload: menuAt('1000') };
    await expect(client.pushMenu(foreign)).resolves.toEqual({
      kind: 'rejected',
      reasons: [reason],
    });
  });

  it('is rejected without the scope for menus', async () => {
    const response = await http.request({
      method: 'POST',
      url: `${sandbox.url}/app-a/oauth/v2/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'client_id=client&client_secret=secret&grant_type=client_credentials&scope=eats.order',
      timeoutMs: 2_000,
    });
    const body = response.kind === 'response' ? response.body.toString() : '';
    const { access_token: token } = JSON.parse(body) as { access_token: string };
    await expect(push(menuAt('1000'), token)).resolves.toMatchObject({ kind: 'rejected' });
  });
});

describe('reading back from App A', () => {
  it('finds a different menu in a store that is gone, and none in one that we may not read', async () => {
    const token = await tokenNow();
    const gone = { token, appStoreId: UNKNOWN_STORE_UUID, payload: menuAt('1000') };
    await expect(client.readBack?.(gone)).resolves.toEqual({ kind: 'different' });
    await fault({ kind: 'status', status: 403, route: 'read' });
    await expect(readBack(menuAt('1000'), token)).resolves.toMatchObject({ kind: 'unknown' });
  });

  it('settles a push whose answer was cut off', async () => {
    const token = await tokenNow();
    await fault({ kind: 'reset_mid' });
    await expect(push(menuAt('1000'), token)).resolves.toMatchObject({ kind: 'unknown' });
    await expect(readBack(menuAt('1000'), token)).resolves.toEqual({ kind: 'same' });
    await fault({ kind: 'reset_before' });
    await expect(push(menuAt('1100'), token)).resolves.toMatchObject({ kind: 'unknown' });
    await expect(readBack(menuAt('1100'), token)).resolves.toEqual({ kind: 'different' });
  });
});

async function tokenNow(): Promise<string> {
  const result = await client.fetchToken(CREDENTIAL);
  if (result.kind !== 'token') throw new Error(`No token: ${result.reason}`);
  return result.token;
}

function clientOf(baseUrl: string): DeliveryAppClient {
  return createAppAClient({ http, baseUrl, timeoutMs: 2_000 });
}

/** A server for one test; its origin. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function push(payload: Buffer, token: string) {
  return client.pushMenu(request(payload, token));
}

function readBack(payload: Buffer, token: string) {
  return client.readBack?.(request(payload, token));
}

function request(payload: Buffer, token: string): PushRequest {
  return { token, appStoreId: STORE.appStoreId, payload };
}

function menuAt(value: string, count = 1): Buffer {
  const items = Array.from({ length: count }, (_, index) => item(`I${index}`, value));
  const references = items.map(({ external_id }) => ({ item_external_id: external_id }));
  const { payload } = transform({ items, categories: [category('C1', references)] });
  return Buffer.from(JSON.stringify(payload));
}

async function shownMenu(): Promise<unknown> {
  const kept = (await control('GET', '_sandbox/menus')) as readonly { payload: unknown }[];
  return kept.at(-1)?.payload;
}

async function fault(body: Readonly<Record<string, unknown>>): Promise<void> {
  await control('POST', '_sandbox/faults', JSON.stringify(body));
}

async function control(method: 'GET' | 'POST', path: string, body?: string): Promise<unknown> {
  const url = `${sandbox.url}/app-a/${path}`;
  const result = await http.request({ method, url, timeoutMs: 2_000, ...(body && { body }) });
  if (result.kind !== 'response' || result.status >= 300) throw new Error(`${method} ${path}`);
  return JSON.parse(result.body.toString('utf8'));
}
