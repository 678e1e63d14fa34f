import {
  findAppToken,
  invalidateAppToken,
  isLatestConfiguration,
  isTokenBeingFetched,
  isTokenOf,
  leaseTokenRefresh,
  releaseTokenRefresh,
  storeAppToken,
} from '../../src/delivery-apps/sql/app-tokens';
import { connectStore, updateIntegration } from '../../src/delivery-apps/sql/integrations';
import type { Configuration } from '../../src/delivery-apps/tokens/app-access';
import { newId } from '../../src/platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { UNCHANGED_SETTINGS } from '../support/integration-settings';
import { prepareUploadRows } from '../support/upload-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into integration (app, name) values ('app-b', 'App B') returning integration_id`;
});
afterAll(() => database.drop());

const INTEGRATION = { integrationId: 1, configurationNo: 0, connection: null };
const of = (key: string, configuration: Configuration = INTEGRATION) => ({ key, configuration });
const lease = (key: string, ms = 30_000) =>
  leaseTokenRefresh(database.sql, of(key), newId('upl'), ms);
const find = (key: string) => findAppToken(database.sql, key);
const store = (key: string, replaces: number, livesForS = 3_600) =>
  storeAppToken(database.sql, of(key), {
    replaces,
    tokenEncrypted: Buffer.from(`token ${replaces}`),
    livesMs: livesForS * 1_000,
    renewsInMs: (livesForS - 300) * 1_000,
  });

const FIRST = { version: 0, refusedEncrypted: null };

test('of twenty simultaneous fetchers of a token, one gets the right', async () => {
  const leases = await Promise.all(Array.from({ length: 20 }, () => lease('many')));
  expect(leases.filter((each) => each !== undefined)).toEqual([FIRST]);
});

test('a fetcher that looked before another one stored a token may not fetch another', async () => {
  expect(await find('late')).toBeUndefined();
  await store('late', (await lease('late'))?.version ?? -1);
  expect(await lease('late')).toBeUndefined();
  expect(await find('late')).toMatchObject({ version: 1, usable: true, due: false });
});

test('a token that is due may be fetched again, and is used until then', async () => {
  await lease('due');
  await store('due', 0, 200);
  expect(await find('due')).toMatchObject({ usable: true, due: true });
  expect(await lease('due')).toEqual({ version: 1, refusedEncrypted: null });
});

test('the right of a dead fetcher passes on, and its late write changes nothing', async () => {
  await lease('dead', 0);
  expect(await lease('dead')).toEqual(FIRST);
  await store('dead', 0);
  await store('dead', 0);
  expect(await find('dead')).toMatchObject({ version: 1 });
});

test('a fetcher may start again at once after its worker died', async () => {
  expect(await leaseTokenRefresh(database.sql, of('again'), 'one', 30_000)).toEqual(FIRST);
  expect(await leaseTokenRefresh(database.sql, of('again'), 'two', 30_000)).toBeUndefined();
  expect(await leaseTokenRefresh(database.sql, of('again'), 'one', 30_000)).toEqual(FIRST);
  await releaseTokenRefresh(database.sql, 'again', 'two');
  expect(await isTokenBeingFetched(database.sql, of('again'))).toBe(true);
  await releaseTokenRefresh(database.sql, 'again', 'one');
  expect(await isTokenBeingFetched(database.sql, of('again'))).toBe(false);
});

test('a fetcher learns which token was refused, until another one is stored', async () => {
  await lease('known');
  await store('known', 0);
  await invalidateAppToken(database.sql, 'known', 1);
  await leaseTokenRefresh(database.sql, of('known'), 'dead', 0);
  expect(await lease('known')).toEqual({
    version: 2,
    refusedEncrypted: Buffer.from('token 0'),
  });
  await store('known', 2, 200);
  expect(await lease('known')).toEqual({ version: 3, refusedEncrypted: null });
});

test('a refused token is dropped once; a newer one fetched meanwhile stays', async () => {
  await lease('refused');
  await store('refused', 0);
  await invalidateAppToken(database.sql, 'refused', 1);
  expect(await find('refused')).toBeUndefined();
  const refused = { version: 2, refusedEncrypted: Buffer.from('token 0') };
  expect(await lease('refused')).toEqual(refused);
  await store('refused', 2);
  await invalidateAppToken(database.sql, 'refused', 1);
  expect(await find('refused')).toMatchObject({ version: 3, usable: true });
});

const life = { livesMs: 3_600_000, renewsInMs: 3_300_000 };
const leaseFor = (key: string, configuration: Configuration) =>
  leaseTokenRefresh(database.sql, of(key, configuration), newId('upl'), 30_000);

describe('a credential that was loaded before a change', () => {
  test.each(['integration', 'connection'])(
    'of its %s fetches no token, and does not keep the new one from it',
    async (changed) => {
      const { sql } = database;
      const { storeId, integrationId } = (await prepareUploadRows(sql)).key;
      const key = `store/${storeId}/${integrationId}`;
      const connection = { storeId, connectionNo: 0 };
      const old = { integrationId, configurationNo: 0, connection };
      expect(await leaseFor(key, old)).toEqual(FIRST);
      const [row] = await sql`select * from app_token where credential_key = ${key}`;
      if (changed === 'integration')
        await updateIntegration(sql, integrationId, { ...UNCHANGED_SETTINGS, app: 'app-b' });
      else {
        const unchanged = { appStoreId: 'store', credentialEncrypted: null };
        await connectStore(sql, { storeId, integrationId, ...unchanged });
      }
      // As if the change had not seen the row, because it was just being inserted.
      await sql`update app_token set ${sql(row ?? {})} where credential_key = ${key}`;
      const latest =
        changed === 'integration'
          ? { ...old, configurationNo: 1 }
          : { ...old, connection: { storeId, connectionNo: 1 } };

      expect(await isLatestConfiguration(sql, old)).toBe(false);
      expect(await isLatestConfiguration(sql, latest)).toBe(true);
      expect(await isTokenBeingFetched(sql, of(key, latest))).toBe(false);
      expect(await leaseFor(key, old)).toBeUndefined();
      const late = { ...life, replaces: 0, tokenEncrypted: Buffer.from('old') };
      expect(await storeAppToken(sql, of(key, old), late)).toBe(false);

      expect(await leaseFor(key, latest)).toEqual({ version: 1, refusedEncrypted: null });
      const fresh = { ...life, replaces: 1, tokenEncrypted: Buffer.from('new') };
      expect(await storeAppToken(sql, of(key, latest), fresh)).toBe(true);
      const token = await find(key);
      if (!token) throw new Error('no token');
      expect(token).toMatchObject({ tokenEncrypted: Buffer.from('new'), usable: true });
      expect(isTokenOf(token, of(key, latest))).toBe(true);
      expect(isTokenOf(token, of(key, old))).toBe(false);
    },
  );
});
