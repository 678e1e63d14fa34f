import { lockQueue } from '../../src/availability/sql/changes';
import { markItems } from '../../src/availability/sql/marks';
import { connectStore, updateIntegration } from '../../src/delivery-apps/sql/integrations';
import { newId } from '../../src/platform/ids';
import type { Transaction } from '../../src/platform/db/client';
import { UNCHANGED_SETTINGS } from '../support/integration-settings';
import { overtaking } from '../support/lock-waits';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();
beforeEach(async () => {
  // Something waits there for its next try.
  await database.sql.begin((tx) => lockQueue(tx, rows.key));
  await database.sql`update availability_queue set retry_at = now() + interval '10 min'`;
});

/** As a claim, or a change, does first. */
const takeQueue = (tx: Transaction) =>
  tx`update availability_queue set claim_no = claim_no where store_id = ${rows.key.storeId}::bigint`;

const configure = (app: 'app-a' | 'app-b') =>
  updateIntegration(database.sql, rows.key.integrationId, { ...UNCHANGED_SETTINGS, app });

const retryAt = async () => {
  const [queue] = await database.sql<{ isSoon: boolean | null }[]>`
    select retry_at <= now() as is_soon from availability_queue
    where store_id = ${rows.key.storeId}::bigint`;
  return queue?.isSoon;
};

test('an integration can be configured while an item in it goes off sale', async () => {
  const cause = { source: 'api', changeId: newId('avc'), tells: true } as const;
  await overtaking(
    database.sql,
    takeQueue,
    () => configure('app-b'),
    (tx) => markItems(tx, rows.key, cause, [{ externalId: 'I1', until: null }]),
  );
  expect(await retryAt()).toBe(true);
});

test('an integration can get another app while a queue of it is served', async () => {
  await rows.insert();
  await overtaking(
    database.sql,
    takeQueue,
    () => configure('app-a'),
    (tx) =>
      tx`update publication set is_unfollowed = false where store_id = ${rows.key.storeId}::bigint`,
  );
  expect(await retryAt()).toBe(true);
});

test('a store that is connected again is served soon', async () => {
  const { storeId, integrationId } = rows.key;
  const connected = { appStoreId: 'shop', credentialEncrypted: Buffer.from('sealed') };
  await connectStore(database.sql, { storeId, integrationId, ...connected });
  expect(await retryAt()).toBe(true);
});
