import { findOldestDueMs } from '../../src/metrics/queue-age';
import { startTestApi, type TestApi } from '../support/api';
import { readingOf } from '../support/rows-read';
import { until } from '../support/until';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('however many probes come at once, one of them looks at Postgres', async () => {
  const PROBES = 50;
  const { answers, waiting } = await api.sql.begin(async (tx) => {
    await tx`lock table schema_migration in access exclusive mode`;
    const sent = Array.from({ length: PROBES }, () => fetch(`${api.url}/health/ready`));
    await until(async () => (await waitingForLock()) > 0);
    // None of the others may have been on its way: an answer that was sent after them is there.
    await fetch(`${api.url}/health/live`);
    return { answers: sent, waiting: await waitingForLock() };
  });
  expect(waiting).toBe(1);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

async function waitingForLock(): Promise<number> {
  const [row] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from pg_locks join pg_database d on d.oid = pg_locks.database
    where d.datname = current_database() and relation = 'schema_migration'::regclass and not granted`;
  return row?.count ?? Number.NaN;
}

test('the age of the oldest row is found without reading the webhooks that have nothing to send', async () => {
  await api.user();
  await api.sql`
    with system as (
      insert into inventory_system (inventory_system_id, name, name_key, created_by)
      select gen_random_uuid(), 'Quiet ' || n, 'quiet ' || n, user_id
      from generate_series(1, 2000) n, (select user_id from app_user limit 1) as one
      returning inventory_system_id
    )
    insert into subscription (subscription_id, inventory_system_id, type, url, secret_encrypted)
    select 'whk_' || inventory_system_id, inventory_system_id, 2, 'http://127.0.0.1:9/', '' from system`;
  const { value, rows } = await readingOf('subscription', api.sql, findOldestDueMs);
  expect(value).toBe(0);
  expect(rows).toBeLessThan(10);
});
