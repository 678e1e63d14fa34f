import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { postponeUpload } from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();

const claim = () => claimNewestUpload(database.sql, rows.key, 'run');

const LIVE = { state: 'uploaded', messages: [] } as const;
const LATER = { delayMs: 60_000, reason: null, afterMs: null } as const;

describe('a claim', () => {
  test('takes the newest and ends every older upload superseded, with the sentence for its caller', async () => {
    const [first, second, third] = [await rows.insert(), await rows.insert(), await rows.insert()];
    expect(await claim()).toMatchObject({ kind: 'publish', uploadId: third, attemptNo: 1 });
    expect(await rows.state(first)).toBe('superseded');
    const [row] = await database.sql`
      select state, messages, finished_at from menu_upload where upload_id = ${second}`;
    expect(row).toMatchObject({
      state: 'superseded',
      messages: ['A newer menu replaced this upload.'],
      finishedAt: expect.any(Date),
    });
  });

  test('of a running upload raises its attempt, so that the dead attempt can change nothing', async () => {
    const { uploadId } = await rows.insertRunning();
    expect(await claim()).toMatchObject({ uploadId, attemptNo: 2 });
    expect(await recordUploadEnd(database.sql, { uploadId, attemptNo: 1 }, LIVE)).toBeUndefined();
    expect(await recordUploadEnd(database.sql, { uploadId, attemptNo: 2 }, LIVE)).toBeDefined();
  });

  test('never runs an upload that was committed before a newer one was claimed but seen later', async () => {
    const late = await rows.insert();
    await database.sql`update menu_upload set state = 'failed' where upload_id = ${late}`; // not seen yet
    const { uploadId, attemptNo } = await rows.insertRunning();
    await recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE);
    await database.sql`update menu_upload set state = 'queued' where upload_id = ${late}`;
    expect(await claim()).toMatchObject({ kind: 'wait', ms: 0 });
    expect(await rows.state(late)).toBe('superseded');
  });

  test('finds nothing to do without uploads, and for a store that never had one', async () => {
    expect(await claim()).toEqual({ kind: 'idle' });
    const { uploadId, attemptNo } = await rows.insertRunning();
    await recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE);
    expect(await claim()).toEqual({ kind: 'idle' });
  });

  test('waits for the time of a postponed upload, and takes a newer one at once', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    await postponeUpload(database.sql, { uploadId, attemptNo }, LATER);
    const waiting = await claim();
    expect(waiting.kind === 'wait' && waiting.ms > 50_000).toBe(true);
    const newer = await rows.insert();
    expect(await claim()).toMatchObject({ kind: 'publish', uploadId: newer });
    expect(await rows.state(uploadId)).toBe('superseded');
  });

  test('that two workflows make at once gives the upload to both, one after the other, with different attempts', async () => {
    await rows.insert();
    const claims = await Promise.all([claim(), claim()]);
    const attempts = new Set(claims.map((each) => 'attemptNo' in each && each.attemptNo));
    expect(attempts).toEqual(new Set([1, 2]));
  });
});

test('uploads inserted at once are numbered without gap or repeat, in the order of their commits', async () => {
  await Promise.all(Array.from({ length: 50 }, () => rows.insert()));
  const found = await database.sql<{ seq: number }[]>`
    select seq from menu_upload where store_id = ${rows.key.storeId}::bigint order by seq`;
  expect(found.map((row) => row.seq)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

describe('the workflow’s lease', () => {
  test('is seen by an insert while it holds, and withdrawn by the rest', async () => {
    expect(await rows.tryInsert({})).toBe(false);
    await claim();
    expect(await rows.tryInsert({})).toBe(true);
    const running = await claim();
    if (!('attemptNo' in running)) throw new Error('nothing was claimed');
    await recordUploadEnd(database.sql, running, LIVE);
    expect(await claim()).toEqual({ kind: 'idle' });
    expect(await rows.tryInsert({})).toBe(false);
  });

  test('ends with the newest upload, and an insert never misses that: either one sees the other', async () => {
    for (let round = 0; round < 25; round += 1) {
      const running = await rows.insertRunning();
      const [leased, end] = await Promise.all([
        rows.tryInsert({}),
        recordUploadEnd(database.sql, running, LIVE),
      ]);
      expect(end?.rests).toBe(leased === false);
    }
    const last = await rows.insertRunning();
    expect(await recordUploadEnd(database.sql, last, LIVE)).toEqual({
      state: 'uploaded',
      rests: true,
      app: 'app-b',
    });
    expect(await rows.tryInsert({})).toBe(false);
  });

  test('is never withdrawn unnoticed by an insert', async () => {
    for (let round = 0; round < 25; round += 1) {
      const running = await rows.insertRunning();
      await recordUploadEnd(database.sql, running, LIVE);
      const [leased, { kind }] = await Promise.all([rows.tryInsert({}), claim()]);
      expect(leased === false || kind === 'publish').toBe(true);
    }
  });

  test('is not renewed for uploads that cannot be claimed yet: the workflow rests until their time', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    await postponeUpload(database.sql, { uploadId, attemptNo }, LATER);
    expect((await claim()).kind).toBe('wait');
    expect(await rows.tryInsert({})).toBe(false);
  });
});
