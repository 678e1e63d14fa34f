import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { postponeUpload } from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

const MIGRATION = join(__dirname, '../../src/platform/db/migrations/0022_no_verdict.sql');
const LIVE = { state: 'uploaded', messages: [] } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('uploads of every state survive the removal of verdicts, and one whose end was not written is retried', async () => {
  const { sql } = database;
  const [queued, found, postponed, ended] = [
    await prepareUploadRows(sql),
    await prepareUploadRows(sql),
    await prepareUploadRows(sql),
    await prepareUploadRows(sql),
  ];
  await sql`alter table menu_upload add column verdict json`;
  await queued.insert();
  await found.insertRunning();
  await postponeUpload(sql, await postponed.insertRunning(), {
    delayMs: 60_000,
    reason: 'status 503',
    afterMs: null,
  });
  await recordUploadEnd(sql, await ended.insertRunning(), LIVE);
  await sql`update menu_upload set verdict = '{"kind":"live"}' where state <> 'queued'`;
  const read = () => sql<object[]>`select * from menu_upload order by upload_id`;
  const before = (await read()).map((row) => ({ ...row, verdict: undefined }));

  await sql.unsafe(await readFile(MIGRATION, 'utf8'));

  expect(await read()).toEqual(before);
  const claim = (rows: typeof queued) => claimNewestUpload(sql, rows.key, 'run');
  expect(await claim(queued)).toMatchObject({ kind: 'publish', attemptNo: 1 });
  expect(await claim(found)).toMatchObject({ kind: 'publish', attemptNo: 2 });
  expect(await claim(postponed)).toMatchObject({ kind: 'wait' });
  expect(await claim(ended)).toEqual({ kind: 'idle' });
});
