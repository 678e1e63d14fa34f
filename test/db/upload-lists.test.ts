import { countUploadsOfDay } from '../../src/console/sql/overview';
import type { UserId } from '../../src/platform/ids';
import { listUploads } from '../../src/uploads/sql/upload-lists';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { FEW_STORES } from '../../src/users/sql/store-access';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const MANY = 5_000;

let database: TestDatabase;
let quiet: UploadRows;
let busy: UploadRows;
/** Of the quiet store, newest first. */
let few: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  [quiet, busy] = [await prepareUploadRows(database.sql), await prepareUploadRows(database.sql)];
  const uploadIds = [await quiet.insert(), await quiet.insert(), await quiet.insert()];
  // Those of one millisecond have no order of their own: lists go by the id.
  few = uploadIds.toSorted().toReversed();
  await busy.insert();
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      created_at, finished_at)
    select 'upl_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
        || lpad(to_hex(n), 20, '0'),
      ${busy.key.storeId}::bigint, ${busy.key.integrationId}::bigint, n, ${busy.userId}, 'r',
      (select sha256 from document limit 1), 'uploaded', now(), now()
    from generate_series(1000, ${1_000 + MANY}) as n`;
  await database.sql`analyze menu_upload`;
});
afterAll(() => database.drop());

function ownerOf({ userId }: UploadRows) {
  return { userId, seesAll: false };
}

function listing(given: Partial<Parameters<typeof listUploads>[2]> = {}, rows = quiet) {
  return readingOf('menu_upload', database.sql, (sql) =>
    listUploads(sql, ownerOf(rows), { limit: 26, ...given }),
  ).then(({ value, ...read }) => ({
    ...read,
    value: value.rows,
    continuesBehind: value.continuesBehind,
  }));
}

async function ids(given: Parameters<typeof listing>[0]) {
  return (await listing(given)).value.map(({ uploadId }) => uploadId);
}

test('the uploads of one quiet store are listed without reading those of others', async () => {
  const { value, rows } = await listing();
  expect(value.map(({ uploadId }) => uploadId)).toEqual(few);
  expect(rows).toBeLessThanOrEqual(2 * few.length + 1);
  const none = await listing({ state: 'uploaded' });
  expect(none.value).toEqual([]);
  expect(none.rows).toBeLessThanOrEqual(2 * few.length);
});

test('a page of a busy store reads no more than the page', async () => {
  const { value, rows } = await listing({}, busy);
  expect(value.length).toBe(26);
  expect(rows).toBeLessThanOrEqual(2 * 26 + 1);
});

test('filters and the cursor hold for each store, and stores of others are not seen', async () => {
  const [newest = '', second] = few;
  expect(await ids({ before: newest })).toEqual(few.slice(1));
  expect(await ids({ before: newest, limit: 1 })).toEqual([second]);
  expect(await ids({ storeId: quiet.key.storeId })).toEqual(few);
  expect(await ids({ storeId: busy.key.storeId })).toEqual([]);
  expect(await ids({ integrationId: quiet.key.integrationId, state: 'queued' })).toEqual(few);
  expect(await ids({ integrationId: busy.key.integrationId })).toEqual([]);
});

test('the uploads of the day are counted without reading those of other stores', async () => {
  const { value, rows } = await readingOf('menu_upload', database.sql, (sql) =>
    countUploadsOfDay(sql, ownerOf(quiet)),
  );
  expect(value).toEqual([{ app: 'app-b', state: 'queued', count: few.length }]);
  expect(rows).toBeLessThanOrEqual(2 * few.length);
});

describe('a user of several stores, and one of more than are read one by one', () => {
  const operator = { userId: 'usr_operator' as UserId, seesAll: true };

  beforeAll(async () => {
    await database.sql`
      insert into user_store (user_id, store_id) values (${quiet.userId}, ${busy.key.storeId}::bigint)`;
  });

  test.each([2, FEW_STORES, FEW_STORES + 1])(
    'with %p stores the lists and counts are those of everybody',
    async (stores) => {
      await database.sql`
        with made as (
          insert into store (name, name_key, country_code)
          select 'S', 's' || n, 'MX' from generate_series(
            1 + (select count(*)::int from user_store where user_id = ${quiet.userId}), ${stores}::int) n
          returning store_id
        )
        insert into user_store (user_id, store_id) select ${quiet.userId}, store_id from made`;
      for (const filter of [{}, { state: 'queued' }, { storeId: busy.key.storeId }] as const) {
        const page = { limit: MANY + 100, ...filter };
        const everybodys = (await listUploads(database.sql, operator, page)).rows;
        expect(everybodys.length).toBeGreaterThan(0);
        expect((await listing(page)).value).toEqual(everybodys);
      }
      expect(await countUploadsOfDay(database.sql, ownerOf(quiet))).toEqual(
        await countUploadsOfDay(database.sql, operator),
      );
    },
  );
});
