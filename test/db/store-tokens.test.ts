import { connectStore, updateIntegration } from '../../src/delivery-apps/sql/integrations';
import { purgeStore } from '../../src/deletions/sql/store-purge';
import { UNCHANGED_SETTINGS } from '../support/integration-settings';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const OF_OTHERS = 5_000;

let database: TestDatabase;
let rows: UploadRows;
/** The tokens of a store of `rows` and its integration. */
let own: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into app_token (credential_key, configuration, token_encrypted)
    select 'store/' || n || '/1' || pauses, '', 'sealed'
    from generate_series(100001, ${100_000 + OF_OTHERS / 2}::int) n, unnest('{"",/pauses}'::text[]) pauses`;
  await database.sql`analyze app_token`;
});
afterAll(() => database.drop());

beforeEach(async () => {
  rows = await prepareUploadRows(database.sql);
  const { storeId, integrationId } = rows.key;
  own = ['', '/pauses', '/utilities'].map((use) => `store/${storeId}/${integrationId}${use}`);
  await insertTokens(own);
});
async function insertTokens(keys: string[]): Promise<void> {
  await database.sql`
    insert into app_token (credential_key, configuration, token_encrypted)
    select unnest(${keys}::text[]), '', 'sealed'`;
}
async function countTokens(): Promise<number> {
  const tokens = await database.sql`select from app_token where token_encrypted is not null`;
  return tokens.length;
}

test('a store that is connected anew has its tokens forgotten, and those of others are not read', async () => {
  const connection = { ...rows.key, appStoreId: 'store', credentialEncrypted: null };
  const { value, rows: read } = await readingOf('app\\_token', database.sql, (sql) =>
    connectStore(sql, connection),
  );
  expect(value).toBe(true);
  expect(read).toBeLessThanOrEqual(2 * own.length);
  expect(await countTokens()).toBe(OF_OTHERS);
});

test('so does a store that is purged', async () => {
  const { storeId } = rows.key;
  await database.sql`update store set deleted_at = now() where store_id = ${storeId}::bigint`;
  const { value, rows: read } = await readingOf('app\\_token', database.sql, (sql) =>
    purgeStore(sql, storeId),
  );
  expect(value).toBe(true);
  expect(read).toBeLessThanOrEqual(2 * own.length);
  expect(await countTokens()).toBe(OF_OTHERS);
});

test('so does an integration that is configured anew', async () => {
  const { integrationId } = rows.key;
  const ofIntegration = ['', '/pauses', '/utilities'].map(
    (use) => `integration/${integrationId}${use}`,
  );
  await insertTokens(ofIntegration);
  const settings = { ...UNCHANGED_SETTINGS, app: 'app-b' } as const;
  const { value, rows: read } = await readingOf('app\\_token', database.sql, (sql) =>
    updateIntegration(sql, integrationId, settings),
  );
  expect(value).toMatchObject({ integrationId });
  expect(read).toBeLessThanOrEqual(2 * (own.length + ofIntegration.length));
  expect(await countTokens()).toBe(OF_OTHERS);
});
