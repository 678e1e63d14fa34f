import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { findAppToken } from '../../src/delivery-apps/sql/app-tokens';
import { updateIntegration } from '../../src/delivery-apps/sql/integrations';
import { createAppTokens } from '../../src/delivery-apps/tokens/app-tokens';
import { createAppBClient } from '../../src/delivery-apps/app-b/client';
import type { Credential } from '../../src/delivery-apps/tokens/app-access';
import { newId } from '../../src/platform/ids';
import { parseCidrs } from '../../src/platform/outbound/addresses';
import { createOutboundClient } from '../../src/platform/outbound/http-client';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { UNCHANGED_SETTINGS } from '../support/integration-settings';
import { until } from '../support/until';

const http = createOutboundClient({ allowCidrs: parseCidrs('127.0.0.0/8'), userAgent: 'test' });
const secrets = createSecretBox([toEncryptionKey(randomBytes(32))]);
let database: TestDatabase;
let server: Server;
/** Calls of the token endpoint, and how it answers. */
let calls: number;
let expiresIn: string;
let status: number;
let answersAfterMs: number;

beforeAll(async () => {
  database = await createTestDatabase();
  server = createServer((_request, response) => {
    calls += 1;
    const token = `token-${calls}`;
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`{"access_token":"${token}","token_type":"bearer","expires_in":${expiresIn}}`);
    }, answersAfterMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  calls = 0;
  expiresIn = '3600';
  status = 200;
  answersAfterMs = 0;
});
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await database.drop();
});

const firstCall = () => until(() => calls > 0);

async function newCredential(): Promise<Credential> {
  const [row] = await database.sql<{ integrationId: number }[]>`
    insert into integration (app, name) values ('app-b', 'App B') returning integration_id`;
  const integrationId = row?.integrationId ?? 0;
  const configuration = { integrationId, configurationNo: 0, connection: null };
  const key = `integration/${integrationId}`;
  return { key, configuration, clientId: 'c', clientSecret: 's', store: {} };
}

function client(timeoutMs = 20_000) {
  const { port } = server.address() as AddressInfo;
  return createAppBClient({ http, baseUrl: `http://127.0.0.1:${port}`, timeoutMs });
}

/** Changes the configuration of the credential's integration; the credential as it is loaded from then on. */
async function configure({ configuration, ...credential }: Credential): Promise<Credential> {
  const { integrationId, configurationNo } = configuration;
  await updateIntegration(database.sql, integrationId, { ...UNCHANGED_SETTINGS, app: 'app-b' });
  const changed = { ...configuration, configurationNo: configurationNo + 1 };
  return { ...credential, configuration: changed };
}

/** The tokens of one worker, and the credentials for which it called waiting uploads. */
function startWorker() {
  const called: string[] = [];
  const resumeWaiting = (key: string, count: number) => void called.push(`${key} ${count}`);
  const tokens = createAppTokens({ sql: database.sql, secrets, resumeWaiting, timeoutMs: 20_000 });
  return { tokens, called };
}

const upload = () => newId('upl');

test('many uploads of one worker that need a token share one call', async () => {
  const { tokens, called } = startWorker();
  const credential = await newCredential();
  answersAfterMs = 200;
  const got = await Promise.all(
    Array.from({ length: 50 }, () => tokens.get(client(), credential, upload())),
  );
  expect(new Set(got.map((each) => each.kind === 'token' && each.token))).toEqual(
    new Set(['token-1']),
  );
  expect(calls).toBe(1);
  expect(called).toEqual([`${credential.key} 1000`]);
});

test('while one upload waits for a hanging token endpoint, others with its credential soon give up, and all others are not delayed', async () => {
  const [one, other] = [startWorker().tokens, startWorker().tokens];
  const credential = await newCredential();
  answersAfterMs = 6_000;
  const fetching = one.get(client(), credential, upload());
  await firstCall();
  const startedAt = performance.now();
  const elsewhere = { kind: 'elsewhere' };
  expect(await one.get(client(), credential, upload())).toEqual(elsewhere);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(await other.get(client(), credential, upload())).toEqual(elsewhere);
  expect(calls).toBe(1);
  answersAfterMs = 0;
  expect(await one.get(client(), await newCredential(), upload())).toMatchObject({ kind: 'token' });
  expect(await fetching).toMatchObject({ kind: 'token', token: 'token-1' });
  expect(await other.get(client(), credential, upload())).toMatchObject({ token: 'token-1' });
});

test('after a failed call one waiting upload continues, after a refusal a few', async () => {
  const { tokens, called } = startWorker();
  const credential = await newCredential();
  status = 503;
  expect(await tokens.get(client(), credential, upload())).toMatchObject({ kind: 'retry' });
  status = 401;
  expect(await tokens.get(client(), credential, upload())).toMatchObject({ kind: 'refused' });
  expect(called).toEqual([`${credential.key} 1`, `${credential.key} 10`]);
});

test('an upload whose worker died while fetching a token starts again at once in another worker', async () => {
  const credential = await newCredential();
  const uploadId = upload();
  answersAfterMs = 2_000;
  const dead = startWorker().tokens.get(client(), credential, uploadId);
  await firstCall();
  answersAfterMs = 0;
  const again = await startWorker().tokens.get(client(), credential, uploadId);
  expect(again).toMatchObject({ kind: 'token', token: 'token-2' });
  await dead;
  // The dead one's late write changed nothing.
  expect(await startWorker().tokens.get(client(), credential, upload())).toMatchObject({
    token: 'token-2',
  });
  expect(calls).toBe(2);
});

describe('a token that is being fetched while its credential changes', () => {
  test.each(['the same worker', 'another worker'])(
    'is used by none, and %s fetches another',
    async (which) => {
      const one = startWorker();
      const next = which === 'the same worker' ? one : startWorker();
      const credential = await newCredential();
      answersAfterMs = 600;
      const fetching = one.tokens.get(client(), credential, upload());
      await firstCall();
      const changed = await configure(credential);
      answersAfterMs = 0;
      expect(await next.tokens.get(client(), changed, upload())).toMatchObject({
        token: 'token-2',
      });
      expect(await fetching).toEqual({ kind: 'elsewhere' });
      expect(await one.tokens.get(client(), changed, upload())).toMatchObject({
        token: 'token-2',
      });
      expect(one.called).toContain(`${credential.key} 1`);
    },
  );

  test('says nothing about the new credential if it is refused', async () => {
    const { tokens } = startWorker();
    const credential = await newCredential();
    answersAfterMs = 600;
    const before = tokens.get(client(), credential, upload());
    status = 401;
    await firstCall();
    const changed = await configure(credential);
    expect(await before).toEqual({ kind: 'elsewhere' });
    status = 200;
    expect(await tokens.get(client(), changed, upload())).toMatchObject({ token: 'token-2' });
  });

  test('is not stored either if the same upload fetches another, nor does its refusal drop that one', async () => {
    const credential = await newCredential();
    const uploadId = upload();
    answersAfterMs = 600;
    const first = startWorker().tokens;
    const fetching = first.get(client(), credential, uploadId);
    await firstCall();
    const changed = await configure(credential);
    const again = startWorker().tokens.get(client(), changed, uploadId);
    expect(await fetching).toEqual({ kind: 'elsewhere' });
    expect(await again).toMatchObject({ token: 'token-2' });
    await first.forget(credential, 1);
    expect(await first.get(client(), changed, upload())).toMatchObject({ token: 'token-2' });
  });

  test('is asked for by none that was loaded before, and the new one is not sent to the old address', async () => {
    const { tokens } = startWorker();
    const credential = await newCredential();
    const changed = await configure(credential);
    const anew = `${credential.key} was configured anew since it was loaded`;
    await expect(tokens.get(client(), credential, upload())).rejects.toThrow(anew);
    expect(calls).toBe(0);
    expect(await tokens.get(client(), changed, upload())).toMatchObject({ token: 'token-1' });
    await expect(tokens.get(client(), credential, upload())).rejects.toThrow(anew);
    expect(calls).toBe(1);
  });
});

test.each([
  ['1e999', 90 * 86_400],
  ['-5', 60],
  ['"7200"', 7_200],
  ['null', 60],
])('an expires_in of %s is kept as %d seconds', async (given, seconds) => {
  const { tokens } = startWorker();
  const credential = await newCredential();
  expiresIn = given;
  expect(await tokens.get(client(), credential, upload())).toMatchObject({ kind: 'token' });
  const [row] = await database.sql<{ livesS: number }[]>`
    select extract(epoch from expires_at - now())::float8 as lives_s
    from app_token where credential_key = ${credential.key}`;
  expect(Math.abs((row?.livesS ?? 0) - seconds)).toBeLessThan(10);
  expect(await findAppToken(database.sql, credential.key)).toMatchObject({ usable: true });
});

test.each([-7_200_000, 7_200_000])(
  'the clock of a worker that is %p ms off neither shortens nor prolongs the life of a token',
  async (offMs) => {
    const { tokens } = startWorker();
    const credential = await newCredential();
    const realNow = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offMs);
    try {
      await tokens.get(client(), credential, upload());
    } finally {
      clock.mockRestore();
    }
    const [life] = await database.sql<{ lives: number; renews: number }[]>`
      select extract(epoch from expires_at - now())::float8 as lives,
        extract(epoch from renew_at - now())::float8 as renews
      from app_token where credential_key = ${credential.key}`;
    expect(life?.lives).toBeGreaterThan(3_580);
    expect(life?.lives).toBeLessThanOrEqual(3_600);
    expect(life?.renews).toBeGreaterThan(3_280);
    expect(life?.renews).toBeLessThanOrEqual(3_300);
  },
);
