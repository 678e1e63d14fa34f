import { LOOKED_AT } from '../../src/platform/db/look-back';
import { firstId, type UserId } from '../../src/platform/ids';
import { listUploads, type UploadFilter } from '../../src/uploads/sql/upload-lists';
import { FEW_STORES } from '../../src/users/sql/store-access';
import type { Viewer } from '../../src/users/sql/users';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const MANY = 45_000;
const OPERATOR = { userId: 'usr_operator' as UserId, seesAll: true };
const MINUTE_MS = 60_000;

let database: TestDatabase;
let busy: UploadRows;
/** Of many stores, of which one has uploads: before and between those of the busy store. */
let chain: UploadRows;

beforeAll(async () => {
  database = await createTestDatabase();
  [busy, chain] = [await prepareUploadRows(database.sql), await prepareUploadRows(database.sql)];
  await busy.insert();
  await chain.insert();
  await database.sql`
    with made as (
      insert into store (name, name_key, country_code)
      select 'S', 's' || n, 'MX' from generate_series(1, ${FEW_STORES}::int) n returning store_id
    )
    insert into user_store (user_id, store_id) select ${chain.userId}, store_id from made`;
  await insert(busy, MANY, 1);
  await insert(chain, 3, 15_000);
  await database.sql`delete from menu_upload where state = 'queued'`;
  await database.sql.unsafe('analyze menu_upload, user_store');
});
afterAll(() => database.drop());

/** Uploads `step` minutes apart; the newest is as many old. Of each thousand one was canceled. */
async function insert({ key, userId }: UploadRows, count: number, step: number): Promise<void> {
  const now = Date.now();
  const ids = Array.from({ length: count }, (_, n) =>
    firstId('upl', now - (n + 1) * step * MINUTE_MS).padEnd(36, step === 1 ? '1' : '2'),
  );
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
      document_sha256, state, created_at, finished_at)
    select id, ${key.storeId}::bigint, ${key.integrationId}::bigint, 1000000 - n, ${userId}, 'r',
      (select sha256 from document limit 1),
      case when n % 15000 = 0 or ${step}::int > 1 then 'canceled' else 'uploaded' end, now(), now()
    from unnest(${ids}::text[]) with ordinality as each (id, n)`;
}

/** All pages of a list, and the most rows that one of them read. */
async function readAll(viewer: Viewer, filter: Omit<UploadFilter, 'limit'>) {
  const found: string[] = [];
  let [pages, most] = [0, 0];
  for (let before: string | undefined = filter.before; ;) {
    const page = { limit: 26, ...filter, ...(before === undefined ? {} : { before }) };
    const { value, rows } = await readingOf('menu\\_upload', database.sql, (sql) =>
      listUploads(sql, viewer, page),
    );
    pages += 1;
    most = Math.max(most, rows);
    found.push(...value.rows.map(({ uploadId }) => uploadId));
    if (value.rows.length >= page.limit) before = found.at(-1);
    else if (value.continuesBehind === null) return { found, pages, most };
    else before = value.continuesBehind;
  }
}

async function idsOf(where: string): Promise<string[]> {
  const rows = await database.sql.unsafe<{ uploadId: string }[]>(
    `select upload_id from menu_upload where ${where} order by upload_id desc`,
  );
  return rows.map(({ uploadId }) => uploadId);
}

/** A page looks at the first few, and then at so many. */
const BOUND = 1.1 * LOOKED_AT;

test('a user of many stores finds few uploads among everybody’s, without reading all of them for a page', async () => {
  const { found, pages, most } = await readAll({ userId: chain.userId, seesAll: false }, {});
  expect(found).toEqual(await idsOf(`store_id = ${chain.key.storeId}`));
  expect(found).toHaveLength(3);
  expect(pages).toBe(3);
  expect(most).toBeLessThan(BOUND);
});

test('so does an operator who looks for a rare state', async () => {
  const { found, pages, most } = await readAll(OPERATOR, { state: 'canceled' });
  expect(found).toEqual(await idsOf("state = 'canceled'"));
  expect(found).toHaveLength(6);
  expect(pages).toBe(3);
  expect(most).toBeLessThan(BOUND);
});

test('so does the owner of a few stores, in each of them', async () => {
  await database.sql`
    insert into user_store (user_id, store_id)
    values (${busy.userId}, ${chain.key.storeId}::bigint)`;
  const viewer = { userId: busy.userId, seesAll: false };
  const { found, pages, most } = await readAll(viewer, { state: 'canceled' });
  expect(found).toEqual(await idsOf("state = 'canceled'"));
  expect(pages).toBe(5);
  expect(most).toBeLessThan(BOUND);
  const ofOne = await readAll(OPERATOR, { storeId: busy.key.storeId, state: 'canceled' });
  expect(ofOne.found).toEqual(await idsOf(`state = 'canceled' and store_id = ${busy.key.storeId}`));
  expect(ofOne.most).toBeLessThan(BOUND);
});

test('what waits or runs is found among the unfinished, however old it is', async () => {
  const oldest = (await idsOf('true')).at(-1) ?? '';
  await database.sql`
    update menu_upload set state = 'running', finished_at = null where upload_id = ${oldest}`;
  const owner = { userId: busy.userId, seesAll: false };
  const stranger = { userId: chain.userId, seesAll: false };
  for (const [viewer, expected] of [
    [OPERATOR, [oldest]],
    [owner, [oldest]],
    [stranger, []],
  ] as const) {
    const { found, pages, most } = await readAll(viewer, { state: 'running' });
    expect([found, pages]).toEqual([expected, 1]);
    expect(most).toBeLessThan(10);
  }
});

test.each([
  ['before it was analyzed', false],
  ['analyzed', true],
])('a page of a user of one busy store reads about a page: %s', async (_, analyzed) => {
  const other = await createTestDatabase();
  const rows = await prepareUploadRows(other.sql);
  await rows.insert();
  await other.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state, finished_at)
    select 'upl_' || lpad(n::text, 32, '0'), ${rows.key.storeId}::bigint, ${rows.key.integrationId}::bigint, 100 + n,
      ${rows.userId}, 'r', (select sha256 from document limit 1), 'uploaded', now()
    from generate_series(1, 20000) n`;
  if (analyzed) await other.sql`analyze`;
  const viewer = { userId: rows.userId, seesAll: false };
  const { value, rows: read } = await readingOf('menu\\_upload', other.sql, (sql) =>
    listUploads(sql, viewer, { limit: 26 }),
  );
  expect(value.rows).toHaveLength(26);
  expect(read).toBeLessThanOrEqual(100);
  await other.drop();
});
