import { setTimeout as sleep } from 'node:timers/promises';
import { beginCall, endCall, renewCall } from '../../src/availability/sql/calls';
import { lockQueue } from '../../src/availability/sql/changes';
import { beginReading } from '../../src/drift/sql/drift-checks';
import { beginPush, endPush, renewPush } from '../../src/uploads/sql/pushes';
import { useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();
beforeEach(async () => {
  await database.sql.begin((tx) => lockQueue(tx, rows.key));
});

const UNLIMITED = { spacingMs: 0, burst: 1 };
const begin = (callId: string) =>
  beginCall(database.sql, { ...rows.key, claimNo: 0, callId }, UNLIMITED);

test('a call that is in progress keeps the app from others', async () => {
  expect(await begin('first')).toEqual({ kind: 'go' });
  expect(await begin('second')).toEqual({ kind: 'held' });
  expect(await beginReading(database.sql, { ...rows.key, callId: 'third' })).toEqual({
    kind: 'held',
  });
});

test('a call without a limit does not wait for the rate of others, nor shorten it', async () => {
  const paced = (callId: string) =>
    beginCall(database.sql, { ...rows.key, claimNo: 0, callId }, { spacingMs: 60_000, burst: 1 });
  expect(await paced('items')).toEqual({ kind: 'go' });
  await endCall(database.sql, { ...rows.key, callId: 'items' });
  expect(await begin('pause')).toEqual({ kind: 'go' });
  await endCall(database.sql, { ...rows.key, callId: 'pause' });
  expect(await paced('more items')).toMatchObject({ kind: 'paced' });
});

test('a call that has the app may take it once more, as soon as its rate allows', async () => {
  const lease = { ...rows.key, claimNo: 0, callId: 'first' };
  const rate = { spacingMs: 300, burst: 1 };
  expect(await beginCall(database.sql, lease, rate)).toEqual({ kind: 'go' });
  const again = await beginCall(database.sql, lease, rate);
  if (again.kind !== 'paced') throw new Error(`The call may ${again.kind}.`);
  await sleep(again.ms);
  expect(await beginCall(database.sql, lease, rate)).toEqual({ kind: 'go' });
});

test('a renewal that comes after the end of its call does not keep the app from others', async () => {
  const lease = { ...rows.key, claimNo: 0, callId: 'first' };
  await begin('first');
  await endCall(database.sql, lease);
  await renewCall(database.sql, lease);
  expect(await begin('second')).toEqual({ kind: 'go' });
});

test('a renewal that comes after the end of its reading does not keep the app from others', async () => {
  const lease = { ...rows.key, callId: 'first' };
  expect(await beginReading(database.sql, lease)).toEqual({ kind: 'go' });
  await endCall(database.sql, lease);
  await renewCall(database.sql, lease);
  expect(await begin('second')).toEqual({ kind: 'go' });
});

test('a reading waits for the spacing of its app, which keeps nothing else from it', async () => {
  const { sql } = database;
  const read = (callId: string) => beginReading(sql, { ...rows.key, callId }, 61_000);
  expect(await read('first')).toEqual({ kind: 'go' });
  await endCall(sql, { ...rows.key, callId: 'first' });
  const again = await read('second');
  if (again.kind !== 'paced') throw new Error(`The reading may ${again.kind}.`);
  expect(again.ms).toBeGreaterThan(50_000);
  expect(again.ms).toBeLessThanOrEqual(61_000);
  expect(await begin('items')).toEqual({ kind: 'go' });
  await endCall(sql, { ...rows.key, callId: 'items' });
  await sql`update publication set next_read_at = now()`;
  expect(await read('third')).toEqual({ kind: 'go' });
});

test('a renewal that comes after the end of its push does not keep the app from others', async () => {
  const attempt = await rows.insertRunning();
  const lease = { ...attempt, callId: 'first' };
  const begun = await beginPush(database.sql, {
    ...lease,
    settleMs: null,
    destination: '[]',
    stepStartsAt: null,
  });
  expect(await begin('second')).toEqual({ kind: 'held' });
  await endPush(database.sql, lease, begun ?? { settlesUntil: null, mayBeShown: false });
  await renewPush(database.sql, lease);
  expect(await begin('second')).toEqual({ kind: 'go' });
});

/** Longer than a lease counts without renewal. */
const LONG_WAIT_MS = 1_700;

/** Runs `work` while another transaction holds the row of the publication for a while. */
async function behindALock<T>(work: () => Promise<T>): Promise<T> {
  const { storeId } = rows.key;
  let waiting: Promise<T> | undefined;
  await database.sql.begin(async (tx) => {
    await tx`select from publication where store_id = ${storeId}::bigint for update`;
    waiting = work();
    waiting.catch(() => {}); // awaited below
    await sleep(LONG_WAIT_MS);
  });
  return waiting as Promise<T>;
}

test('a push that waited long for its row keeps the app from others once it has begun', async () => {
  const attempt = await rows.insertRunning();
  const lease = { ...attempt, callId: 'first' };
  const push = { ...lease, settleMs: null, destination: '[]', stepStartsAt: null };
  expect(await behindALock(() => beginPush(database.sql, push))).toMatchObject({
    isAppBusy: false,
  });
  expect(await begin('second')).toEqual({ kind: 'held' });
});

test('a call that waited long for its row keeps the app from others once it has begun', async () => {
  expect(await behindALock(() => begin('first'))).toEqual({ kind: 'go' });
  expect(await begin('second')).toEqual({ kind: 'held' });
});
