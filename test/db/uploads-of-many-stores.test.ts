import type { UserId } from '../../src/platform/ids';
import { listUploads, type UploadFilter } from '../../src/uploads/sql/upload-lists';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const STORES = 120;
const OF_EACH = 40;
/** Of the newest store, the newest of all. */
const BURST = 20;
const PAGE = 26;
const OPERATOR = { userId: 'usr_operator' as UserId, seesAll: true };

let database: TestDatabase;
let rows: UploadRows;

beforeAll(async () => {
  database = await createTestDatabase();
  rows = await prepareUploadRows(database.sql);
  await rows.insert();
  await database.sql`delete from menu_upload`;
  // One upload of each store in turn, every third failed; then many of one store.
  await database.sql`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 's' || n, 'MX' from generate_series(1, ${STORES}::int) n returning store_id
    ), had as (
      insert into user_store (user_id, store_id) select ${rows.userId}, store_id from made
    ), connected as (
      insert into store_integration (store_id, integration_id)
      select store_id, ${rows.key.integrationId}::bigint from made returning store_id, integration_id
    ), known as (
      insert into publication (store_id, integration_id) select store_id, integration_id from connected
      returning store_id, integration_id
    ), numbered as (
      select *, row_number() over (order by store_id)::int as nth from known
    )
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      finished_at)
    select 'upl_' || lpad(n::text, 32, '0'), store_id, integration_id, n, ${rows.userId}, 'r',
      (select sha256 from document limit 1), case when n % 3 = 0 then 'failed' else 'uploaded' end, now()
    from generate_series(1, ${STORES * OF_EACH + BURST}::int) n
    join numbered on nth = case when n > ${STORES * OF_EACH}::int then ${STORES}::int else 1 + n % ${STORES}::int end`;
  await database.sql.unsafe('analyze menu_upload, user_store');
});
afterAll(() => database.drop());

function read(given: Partial<UploadFilter>) {
  const viewer = { userId: rows.userId, seesAll: false };
  return readingOf('menu\\_upload', database.sql, async (sql) =>
    (await listUploads(sql, viewer, { limit: PAGE, ...given })).rows.map(
      ({ uploadId }) => uploadId,
    ),
  );
}

test.each([{}, { state: 'failed' }] as const)(
  'pages of a user of many stores are those of everybody, and read one upload of most stores: %j',
  async (filter) => {
    const all = (
      await listUploads(database.sql, OPERATOR, { limit: STORES * OF_EACH + BURST, ...filter })
    ).rows.map(({ uploadId }) => uploadId);
    for (const at of [0, PAGE, all.length - PAGE - 3]) {
      const before = all[at - 1];
      const page = await read({ ...filter, ...(before !== undefined && { before }) });
      expect(page.value).toEqual(all.slice(at, at + PAGE));
      // The newest of each store, those of the page and of the burst, and the rows of the page.
      expect(page.rows).toBeLessThanOrEqual(STORES + 3 * PAGE + BURST);
    }
    expect((await read({ ...filter, before: all.at(-4) ?? '' })).value).toEqual(all.slice(-3));
  },
);
