import type { Sql } from '../src/platform/db/client';
import { listSubscriptionHealth } from '../src/webhooks/sql/subscription-health';
import { median } from './rig/quantile';
import { wholeArgument } from './rig/settings';
import { withDatabase } from './rig/with-database';

/*
 * The cost of reading the health of many webhooks, including the figures of the last hour.
 * npx tsx bench/webhook-health.ts [webhooks, 1000] [deliveries of each in the hour, 20]
 */

const webhooks = wholeArgument(0, 'webhooks', 1_000, 10_000);
const perHour = wholeArgument(1, 'deliveries an hour', 20, 10_000);
const LOOKS = 20;

function main(): Promise<void> {
  return withDatabase(1, async (sql) => {
    await fill(sql);
    await measure(sql);
  });
}

/** Two hours of deliveries with one attempt each; one in ten still waits after its attempt. */
async function fill(sql: Sql): Promise<void> {
  await sql.unsafe(`
    insert into app_user (user_id, name) values ('usr_bench', 'Bench');
    insert into inventory_system (inventory_system_id, name, name_key, created_by)
      select gen_random_uuid(), 'System ' || n, 'system ' || n, 'usr_bench'
      from generate_series(1, ${webhooks}) n;
    insert into subscription (subscription_id, inventory_system_id, type, url, secret_encrypted)
      select 'sub_' || name_key, inventory_system_id, 2, 'https://stock.example', '\\x00'
      from inventory_system;
    create temporary view made as
      select 'dlv_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
        || left(md5(subscription_id || n), 20) as delivery_id, subscription_id, inventory_system_id, n, at
      from subscription, generate_series(1, ${perHour * 2}) n,
        lateral (select now() - n * interval '2 h' / ${perHour * 2} as at) as times;
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, payload,
        payload_bytes, attempts_made, request_id, user_id, created_at)
      select delivery_id, 'msg', subscription_id, inventory_system_id, 2, '{}', 2, 1, 'r', 'usr_bench', at
      from made where n % 10 = 0;
    insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status)
      select delivery_id, 1, 1, created_at, 10 + random() * 100, 503 from delivery;
    insert into ended_delivery (delivery_id, subscription_id, inventory_system_id, type, payload, sequence, state,
        attempts_made, attempts_before_resend, request_id, user_id, created_at, finished_at, attempts)
      select delivery_id, subscription_id, inventory_system_id, 2, '{}', n, 'acknowledged', 1, 0, 'r',
        'usr_bench', at, at, array[(1, at, 10 + random() * 100, 204, null, null, null)::ended_attempt]
      from made where n % 10 > 0;
    analyze;
  `);
}

async function measure(sql: Sql): Promise<void> {
  const systems = await sql<
    { id: string }[]
  >`select inventory_system_id as id from inventory_system`;
  const ids = systems.map(({ id }) => id);
  const all: number[] = [];
  const one: number[] = [];
  for (let n = 0; n < LOOKS; n += 1) {
    all.push(await timed(() => listSubscriptionHealth(sql, ids)));
    one.push(await timed(() => listSubscriptionHealth(sql, ids.slice(n, n + 1))));
  }
  process.stdout.write(`${webhooks} webhooks with ${perHour} deliveries each in the hour, ms\n\n`);
  process.stdout.write(`| asked for | median | longest |\n| --- | --- | --- |\n`);
  process.stdout.write(`| all in one statement | ${median(all).toFixed(1)} | ${longest(all)} |\n`);
  process.stdout.write(`| one | ${median(one).toFixed(1)} | ${longest(one)} |\n`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function longest(times: readonly number[]): string {
  return Math.max(...times).toFixed(1);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
