import { forgetChecks, planChecks } from '../../src/drift/sql/check-schedule';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

const EVERY_MS = 60_000;
const READABLE = ['app-b'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (let store = 0; store < 5; store += 1) {
    const rows = await prepareUploadRows(database.sql);
    const uploadId = await rows.insert();
    await database.sql`
      update publication set live_upload_id = ${uploadId} where store_id = ${rows.key.storeId}::bigint`;
  }
});
afterAll(() => database.drop());

async function countPlanned(): Promise<number> {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int from publication where check_at is not null`;
  return row?.count ?? 0;
}

test('readings are planned, and canceled, for so many publications in one statement and no more', async () => {
  for (const planned of [2, 4, 5, 5]) {
    await planChecks(database.sql, EVERY_MS, READABLE, 2);
    expect(await countPlanned()).toBe(planned);
  }
  for (const planned of [3, 1, 0, 0]) {
    await forgetChecks(database.sql, 2);
    expect(await countPlanned()).toBe(planned);
  }
});

test('a planned reading keeps its time, unless the interval has become shorter', async () => {
  const times = () => database.sql`
    select check_at from publication where check_at is not null order by store_id`;
  await planChecks(database.sql, EVERY_MS, READABLE, 100);
  const before = await times();
  await planChecks(database.sql, EVERY_MS, READABLE, 100);
  expect(await times()).toEqual(before);
  await planChecks(database.sql, 1, READABLE, 100);
  expect(await times()).not.toEqual(before);
});
