import { takeDueChecks } from '../../src/drift/sql/check-schedule';
import {
  claimCheck,
  findCheck,
  type Reading,
  recordReading,
  requestCheck,
  restCheck,
} from '../../src/drift/sql/drift-checks';
import { updateIntegration } from '../../src/delivery-apps/sql/integrations';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { UNCHANGED_SETTINGS } from '../support/integration-settings';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const READABLE = ['app-b'];
const CHANGES = [{ op: 'added', kind: 'item', external_id: 'I9', after: {} }] as const;
const CHANGED: Reading = { state: 'changed', count: 1, changes: CHANGES, sha256: 'difference' };

let database: TestDatabase;
let rows: UploadRows;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  rows = await prepareUploadRows(database.sql);
  await publish();
});
afterAll(() => database.drop());

async function publish(): Promise<void> {
  const running = await rows.insertRunning();
  await recordUploadEnd(database.sql, running, { state: 'uploaded', messages: [] });
}

async function ask(): Promise<number> {
  const check = await requestCheck(database.sql, rows.key, 1_000);
  return check?.number ?? -1;
}

async function claim() {
  const due = await claimCheck(database.sql, rows.key);
  if (!due) throw new Error('no reading is due');
  return due;
}

const record = async (due: Awaited<ReturnType<typeof claim>>, reading = CHANGED) =>
  recordReading(database.sql, rows.key, due, reading, null);

describe('a difference while an upload of our own may be shown', () => {
  test('is no drift, and is read again once that upload has ended', async () => {
    const { sql } = database;
    const own = await rows.insertRunning();
    await sql`update menu_upload set may_be_shown = true where upload_id = ${own.uploadId}`;
    const number = await ask();
    await record(await claim());
    expect(await findCheck(sql, rows.key, number)).toMatchObject({
      driftState: 'unknown',
      driftCheckedAt: null,
      driftChanges: null,
    });
    expect(await claimCheck(sql, rows.key)).toBeUndefined();
    expect(await restCheck(sql, rows.key)).toBe(true);
    expect(await takeDueChecks(sql, 10, READABLE)).toEqual([]);

    await recordUploadEnd(sql, own, { state: 'failed', messages: [] });
    expect(await restCheck(sql, rows.key)).toBe(false);
    expect(await takeDueChecks(sql, 10, READABLE)).toEqual([rows.key]);
    await record(await claim());
    expect(await findCheck(sql, rows.key, number)).toMatchObject({
      driftState: 'changed',
      driftChanges: CHANGES,
    });
    expect(await restCheck(sql, rows.key)).toBe(true);
  });

  test('does not hide what was found before', async () => {
    const { sql } = database;
    const number = await ask();
    await record(await claim());
    const before = await findCheck(sql, rows.key, number);
    const own = await rows.insertRunning();
    await sql`update menu_upload set may_be_shown = true where upload_id = ${own.uploadId}`;
    const next = await ask();
    await record(await claim(), { ...CHANGED, count: 7, sha256: 'another' });
    expect(await findCheck(sql, rows.key, next)).toEqual(before);
    await ask();
    await record(await claim(), { state: 'same', count: 0, changes: [], sha256: null });
    expect(await findCheck(sql, rows.key, next)).toMatchObject({ driftState: 'same' });
  });
});

test('a reading of a menu that was replaced meanwhile answers no one: the new menu is read', async () => {
  const { sql } = database;
  await ask();
  await record(await claim());
  const number = await ask();
  const overtaken = await claim();
  await publish();
  await record(overtaken);
  expect(await findCheck(sql, rows.key, number)).toBeUndefined();
  const due = await claim();
  expect(due.uploadId).not.toBe(overtaken.uploadId);
  await record(due, { state: 'same', count: 0, changes: [], sha256: null });
  expect(await findCheck(sql, rows.key, number)).toMatchObject({
    uploadId: due.uploadId,
    driftState: 'same',
    driftChanges: [],
  });
});

test('a new menu has no changes of an older reading', async () => {
  const number = await ask();
  await record(await claim());
  await publish();
  expect(await findCheck(database.sql, rows.key, number)).toMatchObject({
    driftState: 'unknown',
    driftChanges: null,
  });
});

test('a reading of a menu that is no longer live at all completes its check', async () => {
  const { sql } = database;
  const number = await ask();
  const overtaken = await claim();
  await sql`
    update publication set live_upload_id = null where store_id = ${rows.key.storeId}::bigint`;
  await record(overtaken);
  expect(await findCheck(sql, rows.key, number)).toMatchObject({ uploadId: null });
});

test('a check of a menu that ceased to be live before it was read is done: its caller learns it, and no sweep looks for it', async () => {
  const { sql } = database;
  const number = await ask();
  await updateIntegration(sql, rows.key.integrationId, { ...UNCHANGED_SETTINGS, app: 'app-d' });
  expect(await claimCheck(sql, rows.key)).toBeUndefined();
  expect(await restCheck(sql, rows.key)).toBe(true);
  expect(await findCheck(sql, rows.key, number)).toMatchObject({ uploadId: null });
  await sql`update publication set check_asked_at = now() - interval '1 hour'`;
  expect(await takeDueChecks(sql, 10, READABLE)).toEqual([]);
});
