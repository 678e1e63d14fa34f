import {
  findAppToken,
  invalidateAppToken,
  isTokenBeingFetched,
  leaseTokenRefresh,
  releaseTokenRefresh,
  storeAppToken,
} from '../../src/delivery-apps/sql/app-tokens';
import { newId } from '../../src/platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const lease = (key: string, ms = 30_000) => leaseTokenRefresh(database.sql, key, newId('upl'), ms);
const find = (key: string) => findAppToken(database.sql, key);
const store = (key: string, replaces: number, livesForS = 3_600) =>
  storeAppToken(database.sql, {
    credentialKey: key,
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
  expect(await leaseTokenRefresh(database.sql, 'again', 'one', 30_000)).toEqual(FIRST);
  expect(await leaseTokenRefresh(database.sql, 'again', 'two', 30_000)).toBeUndefined();
  expect(await leaseTokenRefresh(database.sql, 'again', 'one', 30_000)).toEqual(FIRST);
  await releaseTokenRefresh(database.sql, 'again', 'two');
  expect(await isTokenBeingFetched(database.sql, 'again')).toBe(true);
  await releaseTokenRefresh(database.sql, 'again', 'one');
  expect(await isTokenBeingFetched(database.sql, 'again')).toBe(false);
});

test('a fetcher learns which token was refused, until another one is stored', async () => {
  await lease('known');
  await store('known', 0);
  await invalidateAppToken(database.sql, 'known', 1);
  await leaseTokenRefresh(database.sql, 'known', 'dead', 0);
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
