import { advanceRollout, type RolloutStep } from '../../src/rollouts/advance-rollout';
import { beginRevert, listRollouts, type RolloutId } from '../../src/rollouts/sql/rollouts';
import type { Sql } from '../../src/platform/db/client';
import type { UserId } from '../../src/platform/ids';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows } from '../support/upload-rows';

const ROLLOUT_ID = `rol_${'0'.repeat(32)}` as RolloutId;
const OPERATOR = { userId: 'usr_operator' as UserId, seesAll: true };

let database: TestDatabase;
/** The attempts of its targets, which are being pushed. */
let running: Awaited<ReturnType<Awaited<ReturnType<typeof prepareUploadRows>>['insertRunning']>>[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  const all = await Promise.all([0, 1, 2].map(() => prepareUploadRows(sql)));
  running = await Promise.all(all.map((rows) => rows.insertRunning()));
  const [owner] = all;
  if (!owner) throw new Error('no rows');
  await sql`
    insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures, menu_count,
      sent_beside)
    values (${ROLLOUT_ID}, ${owner.userId}, 'request', 3, 0, 1, '{}')`;
  await sql`update menu_upload set rollout_id = ${ROLLOUT_ID}`;
  await sql`
    insert into rollout_target (rollout_id, position, sent, store_id, integration_id, upload_id)
    select ${ROLLOUT_ID}, row_number() over (), '{}', store_id, integration_id, upload_id
    from menu_upload`;
});
afterAll(() => database.drop());

async function end(number: number, state: 'uploaded' | 'failed'): Promise<void> {
  const attempt = running[number];
  if (attempt) await recordUploadEnd(database.sql, attempt, { state, messages: [] });
}

let last: RolloutStep | undefined;
/** One step, and how many targets it read. */
async function step() {
  const waker = { wake: async () => 'unreachable' as const, ended: async () => {} };
  const { value, rows } = await readingOf('rollout\\_target', database.sql, (sql) =>
    advanceRollout({ sql, settings: { APP_D: 'refuse' }, waker }, ROLLOUT_ID, last),
  );
  last = value;
  return { summary: value?.summary, rows };
}

const list = async (sql: Sql = database.sql) => listRollouts(sql, OPERATOR, { limit: 10 });

test('the targets of a rollout are counted when one has ended, and not again before the next', async () => {
  expect(await step()).toEqual({ summary: '3 targets: 3 running.', rows: 3 });
  expect(await step()).toEqual({ summary: '3 targets: 3 running.', rows: 0 });
  await end(0, 'uploaded');
  expect(await step()).toEqual({ summary: '3 targets: 2 running, 1 uploaded.', rows: 3 });
  expect((await step()).rows).toBe(0);
  await database.sql`
    update menu_upload set next_attempt_at = now() + interval '1 h'
    where upload_id = ${running[1]?.uploadId ?? ''}`;
  expect((await step()).rows).toBe(3);
  expect((await step()).rows).toBe(0);
  const counts = { uploaded: 1, running: 2, failed: 0, waiting: 0 };
  expect(await list()).toMatchObject([{ state: 'running', counts, revert: null }]);
});

test('a list reads no targets of a rollout that has ended', async () => {
  await end(1, 'uploaded');
  await end(2, 'failed');
  await step();
  const { value, rows } = await readingOf('rollout\\_target', database.sql, list);
  expect(rows).toBe(0);
  const counts = {
    waiting: 0,
    queued: 0,
    running: 0,
    uploaded: 2,
    partly_uploaded: 0,
    failed: 1,
    superseded: 0,
    canceled: 0,
    refused: 0,
  };
  expect(value).toMatchObject([{ state: 'done', revert: null }]);
  expect(value[0]?.counts).toEqual(counts);
  await database.sql`update rollout set counts = null`;
  expect((await list())[0]?.counts).toEqual(counts);
});

test('nor of one that was reverted', async () => {
  await beginRevert(database.sql, ROLLOUT_ID);
  await step();
  await step();
  const revert = { waiting: 0, reverted: 0, failed: 0, not_live: 1, without_previous: 2 };
  await database.sql`update rollout set counts = '{}' where counts is null`;
  const { value, rows } = await readingOf('rollout\\_target', database.sql, list);
  expect([value[0]?.state, value[0]?.revert, rows]).toEqual(['reverted', revert, 0]);
  await database.sql`update rollout set revert_counts = null, counts = null`;
  expect(await list()).toMatchObject([{ revert, counts: { uploaded: 2, failed: 1 } }]);
});

test('a revert of which no target is live any more ends with the step after it has seen so', async () => {
  const { sql } = database;
  await sql`update rollout set state = 'done', revert_counts = null`;
  await sql`update rollout_target set revert_end = null, revert_upload_id = null`;
  await sql`update publication set live_upload_id = null`;
  await beginRevert(sql, ROLLOUT_ID);
  last = undefined;
  await step();
  await step();
  const [rollout] = await list();
  expect([rollout?.state, rollout?.revert?.waiting, rollout?.revert?.not_live]).toEqual([
    'reverted',
    0,
    3,
  ]);
});
