import { createMetrics } from '../../src/metrics/metrics';
import { postponeUpload, recordTask } from '../../src/uploads/sql/upload-attempts';
import { recordUploadEnd } from '../../src/uploads/sql/upload-end';
import { awaitPermit } from '../../src/uploads/sql/upload-waits';
import { claimNewestUpload } from '../../src/uploads/sql/publications';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { prepareUploadRows } from '../support/upload-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The series of a scrape of this moment, with their values. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const temporal = { isReachable: () => true };
  const { text } = await createMetrics({ sql: database.sql, temporal }).render();
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}

const retrying = async () => (await scrape()).get('menu_uploads_retrying{app="app-b"}');
const LATER = { delayMs: 900_000, reason: 'status 503', afterMs: null, mayBeShown: false };

test('an upload counts as retried from its first failed try on, also during a try, until it ends', async () => {
  expect(await retrying()).toBe(0);
  const rows = await prepareUploadRows(database.sql);
  const first = await rows.insertRunning();
  expect(await retrying()).toBe(0);
  await postponeUpload(database.sql, first, LATER);
  expect(await retrying()).toBe(1);
  await database.sql`update menu_upload set next_attempt_at = now()`;
  const claim = await claimNewestUpload(database.sql, rows.key, 'run');
  if (claim.kind !== 'publish') throw new Error(`not claimed: ${claim.kind}`);
  expect(await retrying()).toBe(1);
  await recordUploadEnd(
    database.sql,
    { uploadId: first.uploadId, attemptNo: claim.attemptNo },
    { state: 'uploaded', messages: [] },
  );
  expect(await retrying()).toBe(0);
});

test('an upload whose app works on it, or that waits for a permit, is not retried', async () => {
  const worked = await (await prepareUploadRows(database.sql)).insertRunning();
  await postponeUpload(database.sql, worked, LATER);
  await recordTask(database.sql, worked, {
    taskId: 'task-1',
    deadlineMs: 60_000,
    callId: 'call',
    settlesUntil: null,
  });
  const waiting = await (await prepareUploadRows(database.sql)).insertRunning();
  await postponeUpload(database.sql, waiting, LATER);
  expect(await retrying()).toBe(1);
  await awaitPermit(database.sql, waiting, 'push/1', 60_000);
  expect(await retrying()).toBe(0);
});

test('rollouts are counted by state: those under way, and those that ended within the hour', async () => {
  const states = ['running', 'done', 'stopped', 'canceled', 'reverting', 'reverted'];
  const counts = async () => {
    const series = await scrape();
    return states.map((state) => series.get(`rollouts{state="${state}"}`));
  };
  expect(await counts()).toEqual([0, 0, 0, 0, 0, 0]);
  const { userId } = await prepareUploadRows(database.sql);
  const put = (id: string, state: string, endedMinutesAgo: number | null) => database.sql`
    insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures,
      menu_count, sent_beside, created_at, finished_at)
    values (${id}, ${userId}, 'request', ${state}, 10, 0, 1, '{}', now() - interval '1 day',
      now() - ${endedMinutesAgo}::int * interval '1 minute')`;
  await put('rol_1', 'running', null);
  await put('rol_2', 'reverting', null);
  await put('rol_3', 'stopped', 30);
  await put('rol_4', 'stopped', 90);
  expect(await counts()).toEqual([1, 0, 1, 0, 1, 0]);
});

const drifted = async () => {
  const series = await scrape();
  const names = [...series.keys()].filter((name) => name.startsWith('menus_drifted'));
  return Object.fromEntries(names.map((name) => [name, series.get(name)]));
};

test('drifted menus are counted by app, of apps that can be read and of stores that there are', async () => {
  const none = Object.fromEntries(
    ['app-a', 'app-c', 'app-d'].map((app) => [`menus_drifted{app="${app}"}`, 0]),
  );
  expect(await drifted()).toEqual(none);
  for (const state of ['changed', 'changed', 'same', 'unreadable']) {
    const rows = await prepareUploadRows(database.sql);
    await rows.insert();
    await database.sql`
      update integration set app = 'app-a' where integration_id = ${rows.key.integrationId}::bigint`;
    await database.sql`
      update publication set drift_state = ${state} where store_id = ${rows.key.storeId}::bigint`;
  }
  expect(await drifted()).toEqual({ ...none, 'menus_drifted{app="app-a"}': 2 });
  await database.sql`
    update store set deleted_at = now() where store_id =
      (select min(store_id) from publication where drift_state = 'changed')`;
  expect(await drifted()).toEqual({ ...none, 'menus_drifted{app="app-a"}': 1 });
});

test('each app has a series for each of its calls and their outcomes, and for no other call', async () => {
  const series = await scrape();
  const has = (app: string, call: string, outcome: string) =>
    series.get(`app_calls_total{app="${app}",call="${call}",outcome="${outcome}"}`) === 0;
  const apps = ['app-a', 'app-b', 'app-c', 'app-d'];
  const withCall = (call: string, outcome: string) => apps.filter((app) => has(app, call, outcome));
  expect(withCall('pushMenu', 'live')).toEqual(apps);
  expect(withCall('pollTask', 'running')).toEqual(['app-c', 'app-d']);
  expect(withCall('readBack', 'different')).toEqual(['app-a']);
  expect(withCall('readMenu', 'absent')).toEqual(['app-a', 'app-c', 'app-d']);
  expect(withCall('switchItems', 'one_unknown')).toEqual(apps);
  expect(series.get('app_call_duration_seconds_count{app="app-a",call="readMenu"}')).toBe(0);
  expect(series.has('app_call_duration_seconds_count{app="app-b",call="pollTask"}')).toBe(false);
});
