import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../../src/platform/db/client';
import { type Listener, listenResiliently } from '../../src/platform/db/listen';
import { CONNECTIONS, WORKER_POOL } from '../../src/run/connections';
import { CONSUMER_CONNECTIONS } from '../../src/webhooks/consumer/start-worker-shards';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

/** A statement is silent after two seconds; then its server process is looked up over a connection of its own. */
const SILENT_SECONDS = 5;
/** All statements have their answers by then. */
const WATCHED_SECONDS = SILENT_SECONDS + 3;
const LISTENERS = `application_name = 'pos-integrations listener'`;

/** The most sessions at once within so many seconds, other than those of the test itself. */
const MOST_SESSIONS = `
  create function most_sessions(seconds int) returns int language plpgsql as $$
  declare
    most int := 0;
    ends timestamptz := clock_timestamp() + seconds * interval '1 s';
  begin
    while clock_timestamp() < ends loop
      perform pg_stat_clear_snapshot();
      most := greatest(most, (select count(*) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
          and application_name <> 'pos-integrations'));
      perform pg_sleep(0.001);
    end loop;
    return most;
  end $$`;

let database: TestDatabase;
let watcher: Sql;
let pools: Sql[];
let listener: Listener;
let timesListening: number;

beforeAll(async () => {
  database = await createEmptyDatabase();
  watcher = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  await database.sql.unsafe(MOST_SESSIONS);
});
afterEach(async () => {
  await listener.stop();
  await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
});
afterAll(async () => {
  await watcher.end();
  await database.drop();
});

const { shared, lease } = CONSUMER_CONNECTIONS;

// Each pool has one more while a statement is silent, and a listener one more while it connects.
test.each([
  ['an API', 23, [CONNECTIONS.all]],
  ['a worker', 32, [WORKER_POOL.max, shared, lease]],
] as const)(
  'the pools and the listener of %s have no more than %i sessions, however silent all statements are',
  async (_process, bound, sizes) => {
    const sessions = await mostSessions(sizes);
    expect(sessions).toBeLessThanOrEqual(bound);
    // The second one of the listener is short, and so are those of the pools, which need not be at the same moment.
    expect(sessions).toBeGreaterThanOrEqual(bound - sizes.length);
  },
);

test('these numbers are those of the documents', () => {
  const scaling = readFileSync(join(__dirname, '../../docs/scaling.md'), 'utf8');
  expect(scaling).toContain('23 × APIs + 32 × workers');
});

/** The most sessions at once while all connections of pools of these sizes wait for an answer, and a listener restarts. */
async function mostSessions(sizes: readonly number[]): Promise<number> {
  const applicationName = 'pos-integrations-watched';
  pools = sizes.map((max) => connect(database.url, { max, applicationName }));
  timesListening = 0;
  listener = await listenResiliently(database.url, ['orders'], {
    onNotify() {},
    onListening: () => (timesListening += 1),
  });
  // In the server, because this process may be busy while a session is there.
  const counting = watcher<{ most: number }[]>`
    select most_sessions(${WATCHED_SECONDS}::int) as most`.then(([row]) => row?.most ?? 0);
  const silent = pools.flatMap((sql, at) =>
    Array.from({ length: sizes[at] ?? 0 }, () => sql`select pg_sleep(${SILENT_SECONDS}::int)`),
  );
  await sleep(2_500);
  await database.sql.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${LISTENERS}`,
  );
  await until(() => timesListening === 2);
  await Promise.all(silent);
  return counting;
}
