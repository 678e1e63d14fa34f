import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a claim leaves a held upload to its rollout, although it is the newest', async () => {
  const { sql } = database;
  const rows = await prepareUploadRows(sql);
  const claim = () => claimNewestUpload(sql, rows.key, 'run');
  const running = await rows.insertRunning();
  const held = await rows.insert();
  await sql`update menu_upload set held = true where upload_id = ${held}`;
  const ended = await recordUploadEnd(sql, running, { state: 'uploaded', messages: [] });
  expect(ended).toMatchObject({ state: 'uploaded', rests: false });
  expect(await claim()).toEqual({ kind: 'idle' });
  expect(await rows.state(held)).toBe('queued');
  await sql`update menu_upload set held = false where upload_id = ${held}`;
  expect(await claim()).toMatchObject({ kind: 'publish', uploadId: held });
});
