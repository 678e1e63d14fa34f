import { MockActivityEnvironment } from '@temporalio/testing';
import { createRolloutActivities, type RolloutPass } from '../../activities/rollout-activities';
import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

const ROLLOUT_ID = `rol_${'0'.repeat(32)}`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a rollout whose targets all wait for apps that are away is looked at for a moment only', async () => {
  const { sql } = database;
  const rows = await prepareUploadRows(sql);
  const { uploadId } = await rows.insertRunning();
  await sql`
    update menu_upload set next_attempt_at = now() + interval '1 hour', rollout_id = ${ROLLOUT_ID}
    where upload_id = ${uploadId}`;
  await sql`
    insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures, menu_count,
      sent_beside)
    values (${ROLLOUT_ID}, ${rows.userId}, 'request', 10, 0, 1, '{}')`;
  await sql`
    insert into rollout_target (rollout_id, position, sent, store_id, integration_id, upload_id)
    values (${ROLLOUT_ID}, 0, '{}', ${rows.key.storeId}::bigint,
      ${rows.key.integrationId}::bigint, ${uploadId})`;
  const activities = createRolloutActivities({
    sql,
    settings: { APP_D: 'refuse' },
    waker: { wake: async () => 'woken', ended: async () => {} },
    bounds: createBounds(new Registry()),
  });
  const startedAt = performance.now();
  const pass: RolloutPass = await new MockActivityEnvironment().run(() =>
    activities.driveRollout(ROLLOUT_ID),
  );
  expect(pass).toMatchObject({ state: 'running', isQuiet: true });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
