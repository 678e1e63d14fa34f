import { listUnavailableEntries } from '../../src/availability/sql/views';
import { countUploadsOfDay } from '../../src/console/sql/overview';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const DAYS = 30;
const MANY = 20_000;
const PAGE = 26;

describe.each([
  ['analyzed', true],
  ['never analyzed', false],
])('a user of one store that has nearly all rows, %s', (_, analyzed) => {
  let database: TestDatabase;
  let rows: UploadRows;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { sql } = database;
    rows = await prepareUploadRows(sql);
    await rows.insert();
    const { storeId, integrationId } = rows.key;
    await sql`
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state, created_at,
        finished_at)
      select 'upl_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0'),
        ${storeId}::bigint, ${integrationId}::bigint, 100000 - n, ${rows.userId}, 'r', (select sha256 from document limit 1),
        'uploaded', at, at
      from generate_series(1, ${MANY}::int) n,
        lateral (select now() - n * interval '1 day' * ${DAYS / MANY}::float8 as at) as made`;
    await sql`
      insert into availability_mark (store_id, integration_id, external_id, by_api, by_stock, change_id)
      select ${storeId}::bigint, ${integrationId}::bigint, 'item ' || n, true, false, 'chg_ended'
      from generate_series(1, ${MANY}::int) n`;
    if (analyzed) await sql`analyze`;
  });
  afterAll(() => database.drop());

  const viewer = () => ({ userId: rows.userId, seesAll: false });

  test('the uploads of the day are counted without reading older ones', async () => {
    const { value, rows: read } = await readingOf('menu\\_upload', database.sql, (sql) =>
      countUploadsOfDay(sql, viewer()),
    );
    const count = value.reduce((sum, each) => sum + each.count, 0);
    expect(Math.abs(count - MANY / DAYS)).toBeLessThan(5);
    expect(read).toBeLessThanOrEqual(2 * count);
  });

  test('a page of what is off sale, from the middle, reads about a page', async () => {
    const [middle] = await database.sql<{ markNo: number }[]>`
      select mark_no from availability_mark order by mark_no offset ${MANY / 2}::int limit 1`;
    for (const before of [{}, { before: middle?.markNo ?? 0 }]) {
      const { value, rows: read } = await readingOf('availability\\_mark', database.sql, (sql) =>
        listUnavailableEntries(sql, viewer(), { limit: PAGE, ...before }),
      );
      expect(value.rows).toHaveLength(PAGE);
      expect(read).toBeLessThanOrEqual(2 * PAGE);
    }
  });
});
