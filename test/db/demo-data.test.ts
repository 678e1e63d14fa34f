import { findTokenOwner } from '../../src/users/sql/users';
import { tokenSha256 } from '../../src/users/token-sha256';
import { purgeDeletedStore } from '../../src/admin/stores';
import { changeUserState } from '../../src/admin/users';
import { deleteStore } from '../../src/deletions/sql/deletions';
import { createSecretBox, toEncryptionKey } from '../../src/platform/crypto/secrets';
import { generateSecret } from '../../src/platform/crypto/signing';
import { prepareDemoData } from '../../dev/demo/demo-data';
import { startDemoSandbox } from '../../dev/demo/demo-sandbox';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

/** What `npm start` does with its database. */
async function prepare(token: string): Promise<void> {
  const demo = {
    encryptionKey: '',
    demoToken: token,
    clientId: 'demo',
    clientSecret: 'demo',
    posSecret: generateSecret(),
  };
  const secrets = createSecretBox([toEncryptionKey(Buffer.alloc(32, 7))]);
  const config = { PORT: 3000, APP_C_LEVELS: 1, APP_D_PRICE_UNIT: 'unit' } as const;
  const sandbox = await startDemoSandbox(0, demo, config);
  try {
    const { sql } = database;
    await prepareDemoData({ sql, secrets, demo, token, sandboxUrl: sandbox.url });
  } finally {
    await sandbox.close();
  }
}
const ownerOf = (token: string) => findTokenOwner(database.sql, tokenSha256(token));

test('a second start finds the token of the first', async () => {
  await prepare('first');
  const owner = await ownerOf('first');
  await prepare('first');
  expect(await ownerOf('first')).toEqual(owner);
});

test.each([
  ['revoked', () => database.sql`update access_token set revoked_at = now()`],
  [
    'of a deactivated user',
    async () => {
      const userId = (await ownerOf('first'))?.userId ?? '';
      await changeUserState(database, userId, 'deactivated');
    },
  ],
] as const)('a token that is %s is said to be so, and a new one works', async (_what, end) => {
  await prepare('first');
  await end();
  await expect(prepare('first')).rejects.toThrow(
    /^The token of npm start was revoked, or its user/,
  );
  await prepare('second');
  expect((await ownerOf('second'))?.userState).toBe('active');
  // Nothing of the demo is made twice.
  expect(await database.sql`select store_id from store order by 1`).toEqual([
    { storeId: 1 },
    { storeId: 2 },
  ]);
});

describe.each([
  ['deleted', async () => {}],
  ['purged', (storeId: number) => purgeDeletedStore(database, storeId)],
])('a store of the demo that was %s', (_how, end) => {
  test.each([1, 2])('is neither made nor linked again by later starts: store %i', async (id) => {
    await prepare('first');
    await deleteStore(database.sql, id);
    await end(id);
    // The first start used to make it again under a new id, and the second one failed because of its name.
    for (let start = 0; start < 2; start++) await prepare('first');
    expect(
      await database.sql`select store_id from store where deleted_at is null order by 1`,
    ).toEqual([{ storeId: 3 - id }]);
    expect(await database.sql`select from store_link where store_id = ${id}`).toEqual([]);
  });
});
