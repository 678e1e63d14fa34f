import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../../src/platform/db/client';
import { type Listener, listenResiliently } from '../../src/platform/db/listen';
import { CONNECTIONS, WORKER_POOL } from '../../src/run/connections';
import { DRAIN_CONNECTIONS } from '../../src/webhooks/drain/start-drains';
import { createEmptyDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

/** A statement is silent after two seconds; then its server process is looked up over a connection of its own. */
const SILENT_SECONDS = 5;
const LISTENERS = `application_name = 'pos-integrations listener'`;

let database: TestDatabase;
let pools: Sql[];
let listener: Listener;
let timesListening: number;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await listener.stop();
  await Promise.all(pools.map((sql) => sql.end({ timeout: 1 })));
});
afterAll(() => database.drop());

const { shared, watch } = DRAIN_CONNECTIONS;

// Each pool has one more while a statement is silent, and a listener one more while it connects.
test.each([
  ['an API', 23, [CONNECTIONS.all]],
  ['a worker', 32, [WORKER_POOL.max, shared, watch]],
] as const)(
  'the pools and the listener of %s have no more than %i sessions, however silent all statements are',
  async (_process, bound, sizes) => {
    const sessions = await mostSessions(sizes);
    expect(sessions).toBeLessThanOrEqual(bound);
    // Those that stay have all been counted. One more for each pool and for the listener is short, so it may be missed.
    expect(sessions).toBeGreaterThanOrEqual(bound - sizes.length - 1);
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
  let most = 0;
  const over = new AbortController();
  const counted = (async () => {
    while (!over.signal.aborted) {
      const [row] = await database.sql<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'
          and application_name <> 'pos-integrations'`;
      most = Math.max(most, row?.n ?? 0);
      await sleep(5);
    }
  })();
  const silent = pools.flatMap((sql, at) =>
    Array.from({ length: sizes[at] ?? 0 }, () => sql`select pg_sleep(${SILENT_SECONDS}::int)`),
  );
  await sleep(2_500);
  await database.sql.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and ${LISTENERS}`,
  );
  await until(() => timesListening === 2);
  await Promise.all(silent);
  over.abort();
  await counted;
  return most;
}
