import { setTimeout as sleep } from 'node:timers/promises';
import { beginCall, endCall, renewCall } from '../../src/availability/sql/calls';
import { lockLine } from '../../src/availability/sql/changes';
import { beginReading, endReading, renewReading } from '../../src/drift/sql/drift-checks';
import { beginPush, endPush, renewPush } from '../../src/uploads/sql/pushes';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

let database: TestDatabase;
let rows: UploadRows;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  rows = await prepareUploadRows(database.sql);
  await database.sql.begin((tx) => lockLine(tx, rows.key));
});

const UNLIMITED = { spacingMs: 0, burst: 1 };
const begin = (callId: string) =>
  beginCall(database.sql, { ...rows.key, claimNo: 0, callId }, UNLIMITED);

test('a call that is in progress keeps the app from others', async () => {
  expect(await begin('first')).toEqual({ kind: 'go' });
  expect(await begin('second')).toEqual({ kind: 'held' });
  expect(await beginReading(database.sql, rows.key, 'third')).toBe(false);
});

test('a call without a limit does not wait for the rate of others, nor shorten it', async () => {
  const paced = (callId: string) =>
    beginCall(database.sql, { ...rows.key, claimNo: 0, callId }, { spacingMs: 60_000, burst: 1 });
  expect(await paced('items')).toEqual({ kind: 'go' });
  await endCall(database.sql, { ...rows.key, claimNo: 0, callId: 'items' });
  expect(await begin('pause')).toEqual({ kind: 'go' });
  await endCall(database.sql, { ...rows.key, claimNo: 0, callId: 'pause' });
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
  expect(await beginReading(database.sql, rows.key, 'first')).toBe(true);
  await endReading(database.sql, rows.key, 'first');
  await renewReading(database.sql, rows.key, 'first');
  expect(await begin('second')).toEqual({ kind: 'go' });
});

test('a renewal that comes after the end of its push does not keep the app from others', async () => {
  const attempt = await rows.insertRunning();
  const lease = { ...attempt, startedAt: new Date(), callId: 'first' };
  const begun = await beginPush(database.sql, { ...lease, settleMs: null, beginsStep: true });
  expect(await begin('second')).toEqual({ kind: 'held' });
  await endPush(database.sql, lease, { settlesUntil: begun?.settlesUntil ?? null });
  await renewPush(database.sql, lease);
  expect(await begin('second')).toEqual({ kind: 'go' });
});
