import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expiringKinds } from '../activities/retention-kinds';
import { stockPayload } from '../src/webhooks/payload';
import { deliveryIdOf, type EventId, newEventId } from '../src/webhooks/delivery-ids';
import { insertEvent } from '../src/webhooks/sql/deliveries';
import { recordOutcomes } from '../src/webhooks/sql/delivery-outcomes';
import { makePartition } from '../src/webhooks/sql/ended-partitions';
import { newId, type SubscriptionId } from '../src/platform/ids';
import { spread } from './rig/quantile';
import type { Sql } from '../src/platform/db/client';
import { createLog } from '../src/platform/observe/log';
import { type RemovedKind, removeExpiredRows } from '../src/platform/db/remove-expired-rows';
import { wholeArgument } from './rig/settings';
import { withDatabase } from './rig/with-database';

/*
 * Whether retention keeps up and whom it holds up: deliveries are accepted and ended at a steady rate, each insert and
 * each end a statement of a hundred, while a day's partition is dropped and a backlog of uploads, of documents of which
 * most are in use, and of deliveries without a partition is removed. Prints what each kind cost, the longest statement
 * of those that go on meanwhile, and the size of the queue.
 *
 *   npx tsx bench/retention.ts [rows of the day, 1000000] [deliveries a second, 2000] [seconds, 30]
 */

const day = wholeArgument(0, 'rows of the day', 1_000_000, 100_000_000);
const perSecond = wholeArgument(1, 'deliveries a second', 2_000, 100_000);
const seconds = wholeArgument(2, 'seconds', 30, 3_600);
const UPLOADS = 20_000;
const LIVE_DOCUMENTS = 50_000;
const UNPLACED = 50_000;
const DAYS = 30;
/** Deliveries that one statement makes or ends. */
const TOGETHER = 100;

function main(): Promise<void> {
  return withDatabase(6, async (sql) => {
    await fill(sql);
    await measure(sql);
  });
}

async function fill(sql: Sql): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  await makePartition(sql, today - 40, today - 39);
  await putEnded(sql, day, 40);
  await putEnded(sql, UNPLACED, 50);
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
    insert into upload_step (upload_id, name, state, attempts, started_at, finished_at)
      select 'old-' || n, step, 'done', 1, now(), now()
      from generate_series(1, ${UPLOADS}) n, unnest(array['token', 'transform', 'push', 'confirm']) step;
    analyze;
  `);
}

/** Ended this many days ago, each with one attempt. */
async function putEnded(sql: Sql, count: number, daysAgo: number): Promise<void> {
  await sql`
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, sequence, payload, state,
      request_id, user_id, created_at, finished_at, attempts_made, attempts_before_resend, attempts)
    select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), 'sub_' || n % 200, gen_random_uuid(), 2, n,
      json_build_object('quantity', '1', 'external_id', repeat('x', 200)), 'acknowledged', 'r', 'u', at, at,
      1, 0, array[(1, at, 5, 204, null, null, null)::ended_attempt]
    from generate_series(1, ${count}::int) as n,
      lateral (select now() - ${daysAgo}::int * interval '1 day' as at) as ended`;
}

/** Makes and ends a hundred deliveries, as API and worker do; the longest statement, ms. */
async function deliverSome(sql: Sql, subscription: SubscriptionId): Promise<number> {
  const events = Array.from({ length: TOGETHER }, () => newEventId());
  const inserted = await timed(() =>
    Promise.all(events.map((eventId) => insert(sql, subscription, eventId))),
  );
  const ids = events.map((eventId) => deliveryIdOf(eventId, 0));
  const leased = await timed(
    () => sql`update delivery set lease_epoch = 1 where delivery_id = any(${ids}::text[])`,
  );
  const attempts = ids.map((deliveryId) => ({
    ...ACKNOWLEDGED,
    deliveryId,
    startedAt: Date.now(),
  }));
  const ended = await timed(() => recordOutcomes(sql, { attempts, released: [], health: [] }));
  return Math.max(inserted, leased, ended);
}

const ACKNOWLEDGED = {
  epoch: 1,
  number: 1,
  state: 'acknowledged',
  delayMs: null,
  attemptsBeforeResend: 0,
  afterResendMs: null,
  durationMs: 5,
  status: 204,
  error: null,
  detail: null,
  response: null,
  message: null,
} as const;

function insert(sql: Sql, subscriptionId: SubscriptionId, eventId: EventId) {
  const inventorySystemId = '00000000-0000-4000-8000-000000000000';
  const payload = stockPayload({
    inventorySystemId,
    externalStoreId: 's1',
    externalId: 'x'.repeat(200),
    currentStock: '1',
    quantity: '1',
    date: '2026-11-22',
    movementType: 2,
  });
  const deliveries = [{ subscriptionId, inventorySystemId, payload }];
  const common = { storeId: null, userId: newId('usr'), requestId: 'r', waitMs: 0, heldKey: null };
  return insertEvent(sql, { eventId, type: 2, deliveries, ...common });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function measure(sql: Sql): Promise<void> {
  const kinds = expiringKinds(sql, DAYS);
  const log = createLog('error');
  const totals = new Map<string, RemovedKind>();
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  const input = (async () => {
    const took: number[] = [];
    while (performance.now() < endAt) {
      const due = ((performance.now() - startedAt) / 1_000) * perSecond;
      if (took.length * TOGETHER < due) took.push(await deliverSome(sql, newId('sub')));
      else await sleep(5);
    }
    return took;
  })();
  // As the sweep does: a round of 7 s at most, every 10 s; the first one after a second.
  await sleep(1_000);
  let round = performance.now();
  while (round < endAt) {
    for (const kind of await removeExpiredRows({ kinds, log })) {
      const was = totals.get(kind.name) ?? { ...kind, rows: 0, statements: 0, longestMs: 0 };
      totals.set(kind.name, {
        name: kind.name,
        rows: was.rows + kind.rows,
        statements: was.statements + kind.statements,
        longestMs: Math.max(was.longestMs, kind.longestMs),
      });
    }
    round += 10_000;
    await sleep(Math.max(0, round - performance.now()));
  }
  await tell(sql, await input, totals);
}

async function tell(
  sql: Sql,
  took: number[],
  totals: ReadonlyMap<string, RemovedKind>,
): Promise<void> {
  const [left] = await sql<{ queue: string; ended: number; unplaced: number }[]>`
    select pg_size_pretty(pg_total_relation_size('delivery')) as queue,
      (select count(*)::int from ended_delivery) as ended,
      (select count(*)::int from ended_delivery_default) as unplaced`;
  const { p50, p99, max } = spread(took);
  process.stdout.write(
    `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} processors; ${day} rows of a day are dropped ` +
      `while ${Math.round((took.length * TOGETHER) / seconds)} deliveries a second of ${perSecond} are made and ` +
      `ended. Statements of ${TOGETHER} of them, ms: p50 ${p50}, p99 ${p99}, longest ${max}. ` +
      `Left: ${left?.ended} ended, ${left?.unplaced} of them without a partition; the queue has ${left?.queue}.\n`,
  );
  console.table(
    [...totals.values()].map(({ name, rows, statements, longestMs }) => ({
      kind: name,
      'rows looked at': rows,
      statements,
      'longest ms': longestMs,
      'a second': Math.round(rows / seconds),
    })),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
