import { deleteStore } from '../../src/deletions/sql/deletions';
import { newId, type UploadId } from '../../src/platform/ids';
import { cancelRollout } from '../../src/rollouts/sql/rollouts';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { postponeUpload, recordSteps } from '../../src/uploads/sql/upload-attempts';
import { cancelUpload } from '../../src/uploads/sql/upload-cancel';
import { prepareUploadRows, type UploadRows, useUploadRows } from '../support/upload-rows';

const { database, rows } = useUploadRows();

/** An upload that waits in its push, after a transform. */
async function insertWaiting(of: UploadRows = rows): Promise<UploadId> {
  const attempt = await of.insertRunning();
  const startedAt = new Date();
  await recordSteps(database.sql, attempt, [
    { name: 'transform', state: 'done', startedAt },
    { name: 'push', state: 'running', startedAt },
  ]);
  const waits = { delayMs: 60_000, reason: null, afterMs: null };
  expect(await postponeUpload(database.sql, attempt, waits)).toBe(true);
  return attempt.uploadId;
}

const stepsOf = (uploadId: UploadId) => database.sql`
  select name, state, attempts, finished_at is not null as is_finished
  from upload_step where upload_id = ${uploadId} order by name`;

const claim = () => claimNewestUpload(database.sql, rows.key, 'run');

test.each<[string, (uploadId: UploadId) => Promise<unknown>]>([
  ['superseded', () => rows.insert().then(claim)],
  ['canceled', (uploadId) => cancelUpload(database.sql, { uploadId, reason: null, messages: [] })],
  ['canceled with its store', () => deleteStore(database.sql, rows.key.storeId)],
  [
    'canceled as its store is found to be deleted',
    async () => {
      await database.sql`
        update store set deleted_at = now() where store_id = ${rows.key.storeId}::bigint`;
      await claim();
    },
  ],
  [
    'canceled with its rollout',
    async (uploadId) => {
      const rolloutId = newId('rol');
      await database.sql`
        insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures,
          menu_count, sent_beside)
        values (${rolloutId}, ${rows.userId}, 'request', 1, 0, 1, '{}')`;
      await database.sql`
        update menu_upload set rollout_id = ${rolloutId} where upload_id = ${uploadId}`;
      expect(await cancelRollout(database.sql, rolloutId)).toBe(true);
    },
  ],
])('the step in which an upload waited is skipped when it is %s', async (how, end) => {
  const uploadId = await insertWaiting();
  const another = await insertWaiting(await prepareUploadRows(database.sql));
  await end(uploadId);
  expect(await rows.state(uploadId)).toBe(how.split(' ')[0]);
  expect(await stepsOf(uploadId)).toEqual([
    { name: 'push', state: 'skipped', attempts: 1, isFinished: true },
    { name: 'transform', state: 'done', attempts: 1, isFinished: true },
  ]);
  expect(await stepsOf(another)).toMatchObject([{ state: 'running' }, { state: 'done' }]);
});
