import { setTimeout as delay } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Registry } from 'prom-client';
import { createRolloutActivities, type RolloutPass } from '../../activities/rollout-activities';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { BOUNDS } from '../../src/platform/admission/bounds';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';
import { prepareUploadRows } from '../support/upload-rows';

const MANY = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Rollouts of a user of their own, each with one target that is being pushed; their ids. */
async function startRollouts(count: number): Promise<readonly string[]> {
  const { sql } = database;
  const rows = await prepareUploadRows(sql);
  const { storeId, integrationId } = rows.key;
  const { uploadId } = await rows.insertRunning();
  const made = await sql<{ rolloutId: string }[]>`
    with each as (
      select 'rol_' || stem as rollout_id, 'upl_' || stem as upload_id, n
      from (select n, md5(${rows.userId} || n) as stem from generate_series(1, ${count}::int) n) as s
    ), uploads as (
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, state, rollout_id)
      select e.upload_id, u.store_id, u.integration_id, 1000 + e.n, u.user_id, u.request_id,
        u.document_sha256, 'running', e.rollout_id
      from menu_upload u, each e where u.upload_id = ${uploadId}
    ), rollouts as (
      insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures,
        menu_count, sent_beside)
      select rollout_id, ${rows.userId}, 'request', 10, 0, 1, '{}' from each
      returning rollout_id
    ), targets as (
      insert into rollout_target (rollout_id, position, sent, store_id, integration_id, upload_id)
      select e.rollout_id, 0, '{}', ${storeId}::bigint, ${integrationId}::bigint, e.upload_id
      from each e join rollouts using (rollout_id)
    )
    select rollout_id from rollouts`;
  await sql`analyze`;
  return made.map(({ rolloutId }) => rolloutId);
}

test('a thousand rollouts of one user hold neither the worker up nor the rollout of another', async () => {
  const { sql } = database;
  const mine = await startRollouts(MANY);
  const theirs = await startRollouts(1);
  const registry = new Registry();
  const used = async () =>
    (await registry.getSingleMetric('bound_used')?.get())?.values.map(({ value }) => value);
  const activities = createRolloutActivities({
    sql,
    settings: { APP_D: 'refuse' },
    waker: { wake: async () => 'woken', ended: async () => {} },
    bounds: createBounds(registry),
  });
  const environment = new MockActivityEnvironment();
  const ended: RolloutPass[] = [];
  const drive = async (rolloutId: string): Promise<RolloutPass> => {
    const pass: RolloutPass = await environment.run(() => activities.driveRollout(rolloutId));
    ended.push(pass);
    return pass;
  };
  const all = mine.map(drive);
  const other = theirs.map(drive);
  // Those without a permit do what their rollouts need now, and come back later.
  const staying = BOUNDS.rollouts_at_work.limit / 2;
  await until(() => ended.length >= MANY - staying);
  expect(ended.every(({ state, isQuiet }) => state === 'running' && isQuiet)).toBe(true);
  expect(await used()).toEqual([staying + 1]);

  const waits: number[] = [];
  for (let looks = 0; looks < 20; looks += 1) {
    const startedAt = performance.now();
    await sql`select 1`;
    waits.push(performance.now() - startedAt);
    await delay(50);
  }
  expect(waits.toSorted((one, next) => one - next)[10]).toBeLessThan(50);

  const stayed = (await Promise.all([...all, ...other])).filter(({ isQuiet }) => !isQuiet);
  expect(stayed).toHaveLength(staying + 1);
  expect(await Promise.all(other)).toMatchObject([{ state: 'running', isQuiet: false }]);
  expect(await used()).toEqual([0]);
});
