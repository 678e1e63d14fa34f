import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import {
  beginPush,
  endPush,
  type BegunPush,
  type PushKey,
  renewPush,
} from '../../src/uploads/sql/pushes';
import { type AttemptKey, recordTask } from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import type { PendingQuery, Row } from 'postgres';
import type { Transaction } from '../../src/platform/db/client';
import { overtaking } from '../support/lock-waits';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();

const claim = () => claimNewestUpload(database.sql, rows.key, 'run');

/** Begins a push as its activity does, and its step with it. */
async function begin(upload: AttemptKey, settleMs: number | null) {
  const lease = { ...upload, callId: randomUUID() };
  const push = { ...lease, destination: '[]', settleMs, stepStartsAt: new Date() };
  return { lease, begun: await beginPush(database.sql, push) };
}

/** The task with which the app answered a push. */
const taskOf = ({ callId }: PushKey, begun: BegunPush | undefined, deadlineMs: number) => ({
  taskId: 'task',
  deadlineMs,
  callId,
  settlesUntil: begun?.settlesUntil ?? null,
});

const LIVE = { state: 'uploaded', messages: [] } as const;

describe('the slot of an asynchronous app', () => {
  const SETTLE_MS = 60_000;

  test('is taken before the push, so that a newer menu waits if the answer is lost', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    const { begun } = await begin({ uploadId, attemptNo }, SETTLE_MS);
    expect(begun).toBeDefined();
    const newer = await rows.insert();
    const waiting = await claim();
    expect(waiting.kind === 'wait' && waiting.ms > 50_000).toBe(true);
    expect(await rows.state(uploadId)).toBe('superseded');
    expect(await rows.state(newer)).toBe('queued');
    expect(await rows.tryInsert({})).toBe(false);
  });

  test('is free again after a push that was answered', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    const { lease, begun } = await begin({ uploadId, attemptNo }, SETTLE_MS);
    await endPush(database.sql, lease, begun ?? { settlesUntil: null, mayBeShown: false });
    const newer = await rows.insert();
    expect(await claim()).toMatchObject({ kind: 'publish', uploadId: newer });
  });

  test('stays taken while its task runs, and ends with the upload', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    const { lease, begun } = await begin({ uploadId, attemptNo }, SETTLE_MS);
    await recordTask(database.sql, lease, taskOf(lease, begun, 60_000));
    const newer = await rows.insert();
    expect(await claim()).toMatchObject({ kind: 'confirm', uploadId, attemptNo: 2 });
    await recordUploadEnd(database.sql, { uploadId, attemptNo: 2 }, LIVE);
    expect(await claim()).toMatchObject({ kind: 'publish', uploadId: newer });
  });

  test('stays taken for an earlier unanswered push, whatever the result of a later push of the upload', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    await begin({ uploadId, attemptNo }, SETTLE_MS); // no answer
    const { lease, begun } = await begin({ uploadId, attemptNo }, SETTLE_MS);
    await recordTask(database.sql, lease, taskOf(lease, begun, 10 * SETTLE_MS));
    await recordUploadEnd(database.sql, { uploadId, attemptNo }, LIVE);
    await rows.insert();
    const waiting = await claim();
    expect(waiting.kind).toBe('wait');
    expect(waiting.kind === 'wait' && waiting.ms).toBeLessThanOrEqual(SETTLE_MS);
  });

  test('frees itself when its time is over', async () => {
    const { uploadId, attemptNo } = await rows.insertRunning();
    await begin({ uploadId, attemptNo }, 50);
    const newer = await rows.insert();
    await sleep(60);
    expect(await claim()).toMatchObject({ kind: 'publish', uploadId: newer });
  });
});

test('a push by a superseded attempt is refused at the last moment', async () => {
  const { uploadId, attemptNo } = await rows.insertRunning();
  await claim();
  expect(await begin({ uploadId, attemptNo }, null)).toMatchObject({ begun: undefined });
  const { begun } = await begin({ uploadId, attemptNo: attemptNo + 1 }, null);
  expect(begun).toBeDefined();
});

test.each([
  ['a newer menu is claimed', (sql) => sql`state = 'superseded'`],
  ['it is claimed again', (sql) => sql`attempt_no = attempt_no + 1`],
  ['another call records its result', (sql) => sql`next_attempt_at = now()`],
] satisfies [string, (sql: Transaction) => PendingQuery<Row[]>][])(
  'a push that waits for the row of its publication while %s does not begin',
  async (_, change) => {
    const upload = await rows.insertRunning();
    const { storeId } = rows.key;
    let began: Awaited<ReturnType<typeof begin>> | undefined;
    await overtaking(
      database.sql,
      (tx) => tx`select from publication where store_id = ${storeId}::bigint for update`,
      async () => (began = await begin(upload, null)),
      (tx) => tx`update menu_upload set ${change(tx)} where upload_id = ${upload.uploadId}`,
    );
    expect(began).toMatchObject({ begun: undefined });
    const [row] = await database.sql`
      select push_until, (select count(*)::int from upload_step s where s.upload_id = ${upload.uploadId}) as steps
      from publication where store_id = ${storeId}::bigint`;
    expect(row).toEqual({ pushUntil: null, steps: 0 });
  },
);

test('once a push has begun, the live menu is unknown until it has succeeded', async () => {
  const live = async () => {
    const [row] = await database.sql<{ liveDocumentSha256: string | null }[]>`
      select live_document_sha256 from publication where store_id = ${rows.key.storeId}::bigint`;
    return row?.liveDocumentSha256;
  };
  const first = await rows.insertRunning();
  await recordUploadEnd(database.sql, first, LIVE);
  expect(await live()).toEqual(expect.any(String));
  const second = await rows.insertRunning();
  await begin(second, null);
  expect(await live()).toBeNull();
  const failed = { state: 'failed', messages: ['No.'] } as const;
  await recordUploadEnd(database.sql, second, failed);
  expect(await live()).toBeNull();
});

test('of two calls for one push, the later one waits for the earlier while that runs, and then takes over', async () => {
  const { uploadId, attemptNo } = await rows.insertRunning();
  const earlier = await begin({ uploadId, attemptNo }, null);
  expect(earlier.begun).toMatchObject({ isAppBusy: false });
  const later = await begin({ uploadId, attemptNo }, null);
  expect(later.begun).toMatchObject({ isAppBusy: true });
  const push = { ...later.lease, destination: '[]', settleMs: null, stepStartsAt: null };
  const again = () => beginPush(database.sql, push);
  await sleep(1_000);
  await renewPush(database.sql, earlier.lease);
  await sleep(1_000);
  expect(await again()).toMatchObject({ isAppBusy: true });
  await sleep(600);
  expect(await again()).toMatchObject({ isAppBusy: false });
  // The earlier one, should it wake up, holds and frees nothing any more.
  await renewPush(database.sql, earlier.lease);
  await endPush(database.sql, earlier.lease, { settlesUntil: null, mayBeShown: false });
  expect(await begin({ uploadId, attemptNo }, null)).toMatchObject({
    begun: { isAppBusy: true },
  });
});

test.each([
  ['of the call that pushed frees the app: the next menu does not wait', true],
  ['of another call leaves the app to the push that is under way', false],
])('the end of an upload %s', async (_, isOwn) => {
  const upload = await rows.insertRunning();
  const { lease } = await begin(upload, null);
  const callId = isOwn ? lease.callId : randomUUID();
  await recordUploadEnd(database.sql, upload, LIVE, [], { callId });
  const { begun } = await begin(await rows.insertRunning(), null);
  expect(begun).toMatchObject({ isAppBusy: !isOwn });
});
