import type { UploadId } from '../../src/platform/ids';
import { listenResiliently } from '../../src/platform/db/listen';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { ROW_DONE } from '../../src/platform/db/row-done';
import { awaitUpload, findUploadOutcome } from '../../src/uploads/sql/uploads';
import {
  postponeUpload,
  recordPrepared,
  recordSteps,
  recordQuestion,
  recordTask,
} from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { awaitPermit } from '../../src/uploads/sql/upload-waits';
import { removeUnusedDocuments } from '../../src/uploads/sql/documents';
import { removeExpiredUploads } from '../../src/uploads/sql/upload-retention';
import { menuPublicationWorkflow } from '../../src/uploads/queue';
import { useUploadRows } from '../support/upload-rows';
import { until } from '../support/until';

const { database, rows } = useUploadRows();

const LIVE = { state: 'uploaded', messages: [] } as const;
const LATER = { delayMs: 60_000, reason: 'no', afterMs: 5 } as const;

test('a superseded attempt changes nothing about the upload', async () => {
  const { sql } = database;
  const { uploadId, attemptNo } = await rows.insertRunning();
  await claimNewestUpload(sql, rows.key, 'run');
  const before = await sql`select * from menu_upload where upload_id = ${uploadId}`;

  const attempt = { uploadId, attemptNo };
  const step = { name: 'push', state: 'running', startedAt: new Date() } as const;
  const task = { taskId: 'task', deadlineMs: 60_000, callId: 'call', settlesUntil: null };
  const document = { sha256: 'a'.repeat(64), contentGzip: Buffer.from('{}'), size: 2 };
  const prepared = {
    document,
    losses: [],
    lossCounts: { block: 0, warn: 0, info: 0 },
    itemIds: '{}',
    offSale: [],
    seasons: [],
    app: 'app-b',
  } as const;
  expect(await recordSteps(sql, attempt, [step])).toBe(false);
  expect(await recordPrepared(sql, attempt, prepared, [step])).toBe(false);
  expect(await recordTask(sql, attempt, task, [step])).toBe(false);
  expect(await awaitPermit(sql, attempt, 'push/1', 60_000)).toBe(false);
  await recordQuestion(sql, attempt, 60_000);
  expect(await postponeUpload(sql, attempt, LATER, [step])).toBe(false);
  expect(await recordUploadEnd(sql, attempt, LIVE, [step])).toBeUndefined();

  expect(await sql`select * from menu_upload where upload_id = ${uploadId}`).toEqual(before);
  expect(await sql`select * from upload_step where upload_id = ${uploadId}`).toEqual([]);
});

test('an upload ends once: the second end changes nothing', async () => {
  const { uploadId, attemptNo } = await rows.insertRunning();
  expect(await recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE)).toMatchObject({
    state: 'uploaded',
  });
  const failed = { state: 'failed', messages: ['No.'] } as const;
  expect(await recordUploadEnd(database.sql, { uploadId, attemptNo }, failed)).toBeUndefined();
  expect(await findUploadOutcome(database.sql, uploadId)).toMatchObject(LIVE);
});

test('a step that starts again counts as another attempt, and its end belongs to the last start', async () => {
  const { uploadId, attemptNo } = await rows.insertRunning();
  const { sql } = database;
  const [first, second] = [new Date(1_000), new Date(2_000)];
  await recordSteps(sql, { uploadId, attemptNo }, [
    { name: 'push', state: 'running', startedAt: first },
  ]);
  await recordSteps(sql, { uploadId, attemptNo }, [
    { name: 'push', state: 'failed', startedAt: first },
  ]);
  await recordSteps(sql, { uploadId, attemptNo }, [
    { name: 'push', state: 'running', startedAt: second },
  ]);
  await recordSteps(sql, { uploadId, attemptNo }, [
    { name: 'push', state: 'done', startedAt: second },
  ]);
  expect(await sql`select * from upload_step where upload_id = ${uploadId}`).toMatchObject([
    { name: 'push', state: 'done', attempts: 2, startedAt: second, finishedAt: expect.any(Date) },
  ]);
});

/** The announcements during `act`. */
async function heardWhile(act: () => Promise<unknown>): Promise<string[]> {
  const payloads: string[] = [];
  const listener = await listenResiliently(database.url, [ROW_DONE], {
    onNotify: (_channel, payload) => payloads.push(payload),
    onListening: () => {},
  });
  await act();
  await database.sql`select pg_notify(${ROW_DONE}, 'end of test')`;
  await until(async () => payloads.at(-1) === 'end of test');
  await listener.stop();
  return payloads.slice(0, -1);
}

describe('a caller that waits for a row', () => {
  test('is notified of its end, and no notice is sent for a row without callers', async () => {
    const awaited = await rows.insert({ waitMs: 30_000 });
    await claimNewestUpload(database.sql, rows.key, 'run');
    const heard = await heardWhile(() =>
      recordUploadEnd(database.sql, { uploadId: awaited, attemptNo: 1 }, LIVE),
    );
    expect(heard).toEqual([awaited]);
    const { uploadId, attemptNo } = await rows.insertRunning();
    expect(
      await heardWhile(() => recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE)),
    ).toEqual([]);
  });

  test('is notified when another caller had already been waiting for it', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    await awaitUpload(database.sql, uploadId, 30_000);
    const heard = await heardWhile(() =>
      recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE),
    );
    expect(heard).toEqual([uploadId]);
  });

  test('is notified when 400 rows end in one statement: no notification is too long', async () => {
    const superseded: string[] = [];
    for (let n = 0; n < 400; n += 1) superseded.push(await rows.insert({ waitMs: 60_000 }));
    await rows.insert();
    const heard = await heardWhile(() => claimNewestUpload(database.sql, rows.key, 'run'));
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.every((payload) => Buffer.byteLength(payload) < 8_000)).toBe(true);
    expect(heard.flatMap((payload) => payload.split(',')).toSorted()).toEqual(
      superseded.toSorted(),
    );
  });
});

const overdue = () => menuPublicationWorkflow.takeOverdue(database.sql, 100);
const age = (seconds: number) => database.sql`
  update menu_upload set created_at = now() - ${seconds}::int * interval '1 s'
  where store_id = ${rows.key.storeId}::bigint`;
const pass = (seconds: number) => database.sql`
  update publication set next_sweep_at = next_sweep_at - ${seconds}::int * interval '1 s',
    lease_until = lease_until - ${seconds}::int * interval '1 s'`;

describe('the sweep', () => {
  beforeEach(() => database.sql`delete from menu_upload`);

  test('takes a row that has waited for half a minute, but not a younger one', async () => {
    await rows.insert();
    expect(await overdue()).toEqual([]);
    await age(31);
    expect(await overdue()).toEqual([rows.key]);
  });

  test('skips rows with a living workflow, rows that are not due, and ended ones', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    await age(31);
    expect(await overdue()).toEqual([]); // leased
    await pass(91);
    expect(await overdue()).toEqual([rows.key]); // its lease is over
    await pass(3_600);
    await postponeUpload(database.sql, { uploadId, attemptNo }, LATER);
    expect(await overdue()).toEqual([]);
    await recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE);
    expect(await overdue()).toEqual([]);
  });

  test('returns to a key less and less often, up to an hour, and starts over after a claim', async () => {
    await rows.insert();
    await age(31);
    const pauses: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      expect(await overdue()).toEqual([rows.key]);
      expect(await overdue()).toEqual([]);
      const [row] = await database.sql<{ pause: number }[]>`
        select extract(epoch from next_sweep_at - now())::float8 as pause from publication
        where store_id = ${rows.key.storeId}::bigint`;
      pauses.push(Math.round(row?.pause ?? 0));
      await pass(3_601);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    await claimNewestUpload(database.sql, rows.key, 'run');
    await pass(91);
    expect(await overdue()).toEqual([rows.key]);
  });
});

async function publish(text: string): Promise<UploadId> {
  const uploadId = await rows.insert({ text });
  await claimNewestUpload(database.sql, rows.key, 'run');
  await recordUploadEnd(database.sql, { uploadId, attemptNo: 1 }, LIVE);
  return uploadId;
}

describe('retention', () => {
  test('removes uploads that ended long ago, but never what is live or was live before it, and then their documents', async () => {
    const old = await publish('old menu');
    const previous = await publish('previous menu');
    const live = await publish('live menu');
    const waiting = await rows.insert({ text: 'waiting menu' });
    await database.sql`update menu_upload set finished_at = finished_at - interval '31 days'`;
    await database.sql`update document set created_at = now() - interval '31 days'`;

    expect(await removeExpiredUploads(database.sql, 30, 100)).toMatchObject({
      removed: 1,
    });
    expect(await rows.state(old)).toBeUndefined();
    expect(await rows.state(previous)).toBe('uploaded');
    expect(await rows.state(live)).toBe('uploaded');
    expect(await rows.state(waiting)).toBe('queued');
    expect(await removeUnusedDocuments(database.sql, 30, 100)).toBeGreaterThanOrEqual(1);
    const kept = await database.sql`
      select from document join menu_upload on document_sha256 = sha256
      where upload_id in (${previous}, ${live}, ${waiting})`;
    expect(kept).toHaveLength(3);
  });
});
