import { setTimeout as sleep } from 'node:timers/promises';
import { advanceRollout } from '../../src/rollouts/advance-rollout';
import { insertRevertUpload, listNextReverts } from '../../src/rollouts/sql/rollout-reverts';
import { newId } from '../../src/platform/ids';
import { beginRevert, type RolloutId } from '../../src/rollouts/sql/rollouts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const ROLLOUT_ID = `rol_${'0'.repeat(32)}` as RolloutId;
const TARGETS = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function publish(rows: UploadRows): Promise<string> {
  const running = await rows.insertRunning();
  await recordUploadEnd(database.sql, running, { state: 'uploaded', messages: [] });
  return running.uploadId;
}

/** A rollout that is live in each of its targets, and is to be reverted. */
async function prepareRevert(): Promise<void> {
  const { sql } = database;
  for (let position = 0; position < TARGETS; position += 1) {
    const rows = await prepareUploadRows(sql);
    const { storeId, integrationId } = rows.key;
    await publish(rows);
    const uploadId = await publish(rows);
    await sql`
      insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures,
        menu_count, sent_beside)
      values (${ROLLOUT_ID}, ${rows.userId}, 'request', 'reverting', 50, 0, 1, '{}')
      on conflict do nothing`;
    await sql`
      insert into rollout_target (rollout_id, position, sent, store_id, integration_id, upload_id)
      values (${ROLLOUT_ID}, ${position}::int, '{}', ${storeId}::bigint, ${integrationId}::bigint,
        ${uploadId})`;
  }
  await sql`
    update integration set base_url = 'https://app.example', client_id = 'client',
      client_secret_encrypted = 'secret'`;
  await sql`update store_integration set credential_encrypted = 'secret'`;
}

test('while Temporal is away, the targets of a revert do not wait for one another’s signals', async () => {
  await prepareRevert();
  let [underWay, most] = [0, 0];
  const step = await advanceRollout(
    {
      sql: database.sql,
      settings: { APP_D: 'refuse' },
      waker: {
        async wake() {
          underWay += 1;
          most = Math.max(most, underWay);
          await sleep(50);
          underWay -= 1;
          return 'unreachable';
        },
        ended: async () => {},
      },
    },
    ROLLOUT_ID,
  );
  expect(step).toMatchObject({ state: 'reverting', isQuiet: false });
  expect(most).toBe(TARGETS);
  const reverts = await database.sql`
    select from rollout_target where revert_upload_id is not null`;
  expect(reverts).toHaveLength(TARGETS);
});

test('a menu that another rollout has held since before the revert does not keep a target from being reverted, one that waits does', async () => {
  const { sql } = database;
  await sql`
    update rollout_target set revert_upload_id = null where rollout_id = ${ROLLOUT_ID}`;
  await sql`update menu_upload set held = true where state = 'queued'`;
  await sql`update rollout set state = 'done'`;
  expect(await beginRevert(sql, ROLLOUT_ID)).toBe(true);
  const held = await listNextReverts(sql, ROLLOUT_ID, TARGETS);
  expect(held.map(({ isLive }) => isLive)).toEqual(held.map(() => true));
  await sql`update rollout set revert_began_at = now() - interval '1 hour'`;
  const heldSince = await listNextReverts(sql, ROLLOUT_ID, TARGETS);
  expect(heldSince.map(({ isLive }) => isLive)).toEqual(held.map(() => false));
  await sql`update rollout set revert_began_at = now()`;
  await sql`update menu_upload set held = false where state = 'queued'`;
  const waiting = await listNextReverts(sql, ROLLOUT_ID, TARGETS);
  expect(waiting.map(({ isLive }) => isLive)).toEqual(held.map(() => false));
});

test('a menu that is accepted after a target was listed is not replaced by the revert', async () => {
  const { sql } = database;
  await sql`update menu_upload set state = 'canceled' where state = 'queued'`;
  const [listed] = await listNextReverts(sql, ROLLOUT_ID, 1);
  if (!listed) throw new Error('no target');
  const { storeId, integrationId, position } = listed;
  await sql`
    update publication set last_seq = last_seq + 1
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  const uploadId = newId('upl');
  await insertRevertUpload(sql, ROLLOUT_ID, listed, uploadId);
  expect(await revertUploadOf(position)).toBeNull();
  const [again] = await listNextReverts(sql, ROLLOUT_ID, 1);
  if (!again) throw new Error('no target');
  await insertRevertUpload(sql, ROLLOUT_ID, again, uploadId);
  expect(await revertUploadOf(position)).toBe(uploadId);
});

async function revertUploadOf(position: number): Promise<string | null | undefined> {
  const [row] = await database.sql<{ revertUploadId: string | null }[]>`
    select revert_upload_id from rollout_target
    where rollout_id = ${ROLLOUT_ID} and position = ${position}::int`;
  return row?.revertUploadId;
}
