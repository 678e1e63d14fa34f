import {
  listFailedPublications,
  LISTED_FAILURES,
  SEEN_FAILURES,
} from '../../src/console/sql/failed-publications';
import type { UserId } from '../../src/platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

interface Publication {
  readonly rows: UploadRows;
  readonly viewer: { readonly userId: UserId; readonly seesAll: boolean };
}

async function publication(): Promise<Publication> {
  const rows = await prepareUploadRows(database.sql);
  return { rows, viewer: { userId: rows.userId, seesAll: false } };
}

/** An upload that ended as this; its id. */
async function ended({ rows }: Publication, state: string, messages: readonly string[] = []) {
  const uploadId = await rows.insert();
  await database.sql`
    update menu_upload set state = ${state}, finished_at = now(),
      messages = ${JSON.stringify(messages)}::text::json
    where upload_id = ${uploadId}`;
  return uploadId;
}

async function failed({ viewer }: Pick<Publication, 'viewer'>) {
  return (await listFailedPublications(database.sql, viewer)).map((each) => each.uploadId);
}

test('a failed upload is listed until a later upload of its publication ends by itself', async () => {
  const here = await publication();
  const uploadId = await ended(here, 'failed', ['Could not upload.', 'The app is closed.']);
  expect(await listFailedPublications(database.sql, here.viewer)).toEqual([
    {
      uploadId,
      ...here.rows.key,
      storeName: expect.any(String),
      app: 'app-b',
      name: 'App B',
      finishedAt: expect.any(Date),
      messages: ['Could not upload.', 'The app is closed.'],
    },
  ]);
  await ended(here, 'uploaded');
  expect(await failed(here)).toEqual([]);
});

test.each(['superseded', 'canceled', 'queued', 'running'])(
  'a newer upload that is %s hides no failure',
  async (state) => {
    const here = await publication();
    const uploadId = await ended(here, 'failed');
    await ended(here, state);
    expect(await failed(here)).toEqual([uploadId]);
  },
);

test('of several failures the last one is listed, and a partly accepted menu is no failure', async () => {
  const here = await publication();
  await ended(here, 'failed');
  const last = await ended(here, 'failed');
  expect(await failed(here)).toEqual([last]);
  await ended(here, 'partly_uploaded');
  expect(await failed(here)).toEqual([]);
});

test('failures of deleted stores and inactive integrations, and of other users, are left out', async () => {
  const here = await publication();
  const there = await publication();
  const [ours, theirs] = [await ended(here, 'failed'), await ended(there, 'failed')];
  const operator = { viewer: { userId: 'usr_op' as UserId, seesAll: true } };
  expect([await failed(here), await failed(there)]).toEqual([[ours], [theirs]]);
  expect(await failed(operator)).toEqual([theirs, ours]);
  await database.sql`
    update integration set active = false where integration_id = ${here.rows.key.integrationId}::bigint`;
  await database.sql`
    update store set deleted_at = now() where store_id = ${there.rows.key.storeId}::bigint`;
  expect(await failed(operator)).toEqual([]);
});

test('only the newest failures of everybody are looked at, and one more than are listed is answered', async () => {
  const here = await publication();
  const operator = { viewer: { ...here.viewer, seesAll: true } };
  const oldest = await ended(here, 'failed');
  await addFailures(here, SEEN_FAILURES - 1, { publications: 1 });
  expect((await failed(operator)).slice(1)).toEqual([oldest]);
  await addFailures(here, 1, { publications: 1 });
  const left = await failed(operator);
  expect([left.length, left.includes(oldest)]).toEqual([2, false]);
  await addFailures(here, LISTED_FAILURES, { publications: LISTED_FAILURES });
  expect((await failed(operator)).length).toBe(LISTED_FAILURES + 1);
});

test('of a user with few stores each publication is looked at, however many failures are newer', async () => {
  const here = await publication();
  const oldest = await ended(here, 'failed');
  await addFailures(here, SEEN_FAILURES + 1, { publications: 1 });
  const { value, rows } = await readingOf('menu\\_upload', database.sql, (sql) =>
    listFailedPublications(sql, here.viewer),
  );
  expect(value.map(({ uploadId }) => uploadId).slice(1)).toEqual([oldest]);
  expect(rows).toBe(2);
  await addFailures(here, LISTED_FAILURES, { publications: LISTED_FAILURES });
  expect((await failed(here)).length).toBe(LISTED_FAILURES + 1);
});

/** Failures of other apps of the same store, as many in each. */
async function addFailures(
  { rows }: Publication,
  count: number,
  { publications }: { publications: number },
) {
  const { storeId } = rows.key;
  await database.sql`
    with made as (
      insert into integration (app, name) select 'app-b', 'Other' from generate_series(1, ${publications}::int)
      returning integration_id
    ), connected as (
      insert into store_integration (store_id, integration_id)
      select ${storeId}::bigint, integration_id from made returning integration_id
    ), known as (
      insert into publication (store_id, integration_id)
      select ${storeId}::bigint, integration_id from connected returning integration_id
    )
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state,
      created_at, finished_at)
    select 'upl_' || lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
        || lpad(n::text, 10, '0') || lpad(p.nth::text, 10, '0'),
      ${storeId}::bigint, p.integration_id, n, ${rows.userId}, 'r',
      (select sha256 from document limit 1), 'failed', now(), now()
    from (select integration_id, row_number() over () as nth from known) as p,
      generate_series(1, ${Math.ceil(count / publications)}::int) as n`;
}
