import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expiringKinds } from '../activities/sweep-activities';
import { startPostgres } from '../dev/embedded-postgres';
import { connect, type Sql } from '../src/db/client';
import { migrate } from '../src/db/migrate';
import { createLog } from '../src/log';
import { type RemovedKind, removeExpiredRows } from '../src/retention';

/*
 * Whether retention keeps up: deliveries that have had their time come in at a steady rate, beside a backlog of them, of
 * uploads, and of documents of which most are still in use. Prints what each kind cost and what was left.
 *
 *   npx tsx bench/retention.ts [backlog of deliveries, 200000] [deliveries a second, 2000] [seconds, 30]
 */

const [backlog = 200_000, perSecond = 2_000, seconds = 30] = process.argv.slice(2).map(Number);
const UPLOADS = 20_000;
const LIVE_DOCUMENTS = 50_000;
const DAYS = 30;

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pos-integrations-bench-'));
  await chmod(directory, 0o755);
  const postgres = await startPostgres({ directory });
  try {
    await postgres.createDatabase('bench');
    const sql = connect(postgres.url('bench'), { max: 4, statementTimeoutMs: 0 });
    await migrate(sql);
    await fill(sql);
    await measure(sql);
    await sql.end();
  } finally {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function fill(sql: Sql): Promise<void> {
  await putDeliveries(sql, backlog);
  await sql.unsafe(`
    insert into app_user (user_id, name) values ('usr_bench', 'Bench');
    insert into integration (integration_id, app, name) values (1, 'app-b', 'App B');
    insert into store (store_id, name, name_key, country_code)
      select n, 'Store ' || n, 'store ' || n, 'MX' from generate_series(1, ${LIVE_DOCUMENTS}) n;
    insert into store_integration (store_id, integration_id)
      select n, 1 from generate_series(1, ${LIVE_DOCUMENTS}) n;
    insert into document (sha256, content_gzip, size, created_at)
      select 'live-' || n, '\\x00', 1, now() - interval '40 days'
      from generate_series(1, ${LIVE_DOCUMENTS}) n;
    insert into document (sha256, content_gzip, size, created_at)
      select 'old-' || n, '\\x00', 1, now() - interval '35 days' from generate_series(1, ${UPLOADS}) n;
    insert into publication (store_id, integration_id, live_upload_id)
      select n, 1, 'live-' || n from generate_series(1, ${LIVE_DOCUMENTS}) n;
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, state, finished_at)
      select 'live-' || n, n, 1, 2, 'usr_bench', 'r', 'live-' || n, 'uploaded',
        now() - interval '60 days' + n * interval '10 s' from generate_series(1, ${LIVE_DOCUMENTS}) n;
    insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, state, finished_at)
      select 'old-' || n, n, 1, 1, 'usr_bench', 'r', 'old-' || n, 'superseded',
        now() - interval '35 days' + n * interval '1 s' from generate_series(1, ${UPLOADS}) n;
    analyze;
  `);
}

/** Finished since longer than the retention, each with one attempt. */
async function putDeliveries(sql: Sql, count: number): Promise<void> {
  await sql`
    with made as (
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type,
        payload, state, attempts_made, request_id, user_id, created_at, finished_at)
      select 'dlv_' || gen_random_uuid(), 'msg', 'sub_' || n % 200, gen_random_uuid(), 2,
        json_build_object('quantity', '1', 'external_id', repeat('x', 200)), 'acknowledged', 1, 'r', 'u',
        now() - interval '31 days', now() - interval '31 days'
      from generate_series(1, ${count}::int) as n
      returning delivery_id
    )
    insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status)
    select delivery_id, 1, 1, now(), 5, 204 from made`;
}

async function measure(sql: Sql): Promise<void> {
  const kinds = expiringKinds(sql, DAYS);
  const log = createLog('error');
  const totals = new Map<string, { rows: number; statements: number; longestMs: number }>();
  const add = ({ name, rows, statements, longestMs }: RemovedKind) => {
    const was = totals.get(name) ?? { rows: 0, statements: 0, longestMs: 0 };
    totals.set(name, {
      rows: was.rows + rows,
      statements: was.statements + statements,
      longestMs: Math.max(was.longestMs, longestMs),
    });
  };
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  const input = (async () => {
    let put = 0;
    while (performance.now() < endAt) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond) - put;
      if (due > 0) await putDeliveries(sql, due);
      put += Math.max(due, 0);
      await sleep(100);
    }
    return put;
  })();
  // As the sweep does: a round of 7 s at most, every 10 s.
  let round = startedAt;
  while (round < endAt) {
    for (const kind of await removeExpiredRows({ kinds, log })) add(kind);
    round += 10_000;
    await sleep(Math.max(0, round - performance.now()));
  }
  const put = await input;
  const [left] = await sql<{ left: number }[]>`select count(*) as left from delivery`;
  const took = (performance.now() - startedAt) / 1_000;
  process.stdout.write(
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} processors; ` +
      `${backlog} deliveries before, ${put} more at ${perSecond}/s, ${left?.left} left after ${took.toFixed(0)} s\n`,
  );
  console.table(
    [...totals].map(([name, { rows, statements, longestMs }]) => ({
      kind: name,
      'rows looked at': rows,
      'rows/s': Math.round(rows / took),
      statements,
      'longest ms': longestMs,
    })),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
