import { countChanges } from '../../src/metrics/availability-changes';
import { countRollouts, COUNTED_ROWS, countUploads } from '../../src/metrics/counts';
import { findWaitingUploads } from '../../src/metrics/waiting-uploads';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { readingOf } from '../support/rows-read';
import { prepareUploadRows, type UploadRows } from '../support/upload-rows';

const MORE = COUNTED_ROWS + 5_000;

let database: TestDatabase;
let busy: UploadRows;
/** Of another app, and made later. */
let quiet: UploadRows;

beforeAll(async () => {
  database = await createTestDatabase();
  busy = await prepareUploadRows(database.sql);
  quiet = await prepareUploadRows(database.sql);
  await database.sql`
    update integration set app = 'app-c' where integration_id = ${quiet.key.integrationId}::bigint`;
  await busy.insert();
});
afterAll(() => database.drop());

/** Changes due so many minutes ago; `endedMinutes`: when the last of them ended, a second before it the one before. */
async function addChanges(
  { key: { storeId, integrationId } }: UploadRows,
  state: string,
  count: number,
  minutes: { readonly due: number; readonly ended: number | null },
) {
  await database.sql`
    insert into availability_change (change_id, request_row_id, store_id, integration_id, named_integration, kind, cause,
      state, request_id, due_at, finished_at)
    select 'chg_' || gen_random_uuid(), 'r', ${storeId}::bigint, ${integrationId}::bigint, '1', 'items', 'stock', ${state},
      'r', now() - ${minutes.due}::int * interval '1 min',
      now() - ${minutes.ended}::int * interval '1 min' - n * interval '0.05 s'
    from generate_series(1, ${count}::int) n`;
}

async function addUploads(state: string, count: number, held: boolean) {
  const { storeId, integrationId } = busy.key;
  await database.sql`
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id, document_sha256, state, held,
      finished_at)
    select 'upl_' || gen_random_uuid(), ${storeId}::bigint, ${integrationId}::bigint,
      (select max(seq) from menu_upload) + n, ${busy.userId}, 'r', (select sha256 from document limit 1), ${state},
      ${held}, case when ${state} = 'uploaded' then now() - n * interval '0.05 s' end
    from generate_series(1, ${count}::int) n`;
}

test('changes of availability are counted up to a bound, and the oldest is found behind it', async () => {
  await addChanges(busy, 'done', MORE, { due: 60, ended: 10 });
  await addChanges(quiet, 'failed', 7, { due: 60, ended: 1 });
  await addChanges(busy, 'queued', MORE, { due: 1, ended: null });
  await addChanges(quiet, 'queued', 1, { due: 5, ended: null });
  await database.sql`analyze availability_change`;
  const { value, rows: read } = await readingOf(
    'availability\\_change',
    database.sql,
    countChanges,
  );
  const figures = new Map(value.map((each) => [`${each.app} ${each.state}`, each]));
  expect(figures.get('app-b queued')?.count).toBe(COUNTED_ROWS);
  expect(figures.get('app-b queued')?.oldestDueSeconds).toBeCloseTo(60, -1);
  expect(figures.get('app-b done')?.count).toBe(COUNTED_ROWS - 7);
  expect(figures.get('app-c failed')?.count).toBe(7);
  expect(figures.get('app-c queued')?.oldestDueSeconds).toBeCloseTo(300, -1);
  expect(read).toBeLessThanOrEqual(2 * COUNTED_ROWS + 10);
});

test('uploads are counted up to a bound, and what is late or tried again is found beside what rollouts hold', async () => {
  await addUploads('uploaded', MORE, false);
  await addUploads('queued', MORE, true);
  const late = await quiet.insertRunning();
  await database.sql`
    update menu_upload set retry_reason = 'status 503', next_attempt_at = now() - interval '5 min'
    where upload_id = ${late.uploadId}`;
  await database.sql`analyze menu_upload`;
  const { value, rows: read } = await readingOf('menu\\_upload', database.sql, async (sql) => ({
    counts: await countUploads(sql),
    waiting: await findWaitingUploads(sql),
  }));
  const counts = new Map(value.counts.map(({ state, count }) => [state, count]));
  expect(counts.get('uploaded')).toBe(COUNTED_ROWS);
  expect(counts.get('queued')).toBe(COUNTED_ROWS);
  const waiting = new Map(value.waiting.map((each) => [each.app, each]));
  expect(waiting.get('app-b')).toMatchObject({ count: COUNTED_ROWS, retrying: 0 });
  expect(waiting.get('app-b')?.oldestDueSeconds).toBeLessThan(60);
  expect(waiting.get('app-c')?.retrying).toBe(1);
  expect(waiting.get('app-c')?.oldestDueSeconds).toBeCloseTo(300, -1);
  expect(read).toBeLessThanOrEqual(3 * COUNTED_ROWS + 10);
});

test('rollouts that ended within the hour are counted up to a bound', async () => {
  await database.sql`
    insert into rollout (rollout_id, user_id, request_id, state, parallel, stop_after_failures, menu_count, sent_beside,
      finished_at)
    select 'rol_' || n, ${busy.userId}, 'r', 'done', 1, 0, 1, '{}', now()
    from generate_series(1, ${MORE}::int) n`;
  await database.sql`analyze rollout`;
  const { value, rows: read } = await readingOf('rollout', database.sql, countRollouts);
  expect(value).toEqual([{ state: 'done', count: COUNTED_ROWS }]);
  expect(read).toBeLessThanOrEqual(COUNTED_ROWS);
});
