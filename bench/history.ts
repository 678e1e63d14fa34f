import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Sql } from '../src/platform/db/client';
import { newId } from '../src/platform/ids';
import { claimDeliveries } from '../src/webhooks/sql/delivery-claims';
import { listDeliveries } from '../src/webhooks/sql/delivery-lists';
import { attachHistory, detachHistory, fillHistory } from './rig/ended-rows';
import { median, spread } from './rig/quantile';
import { closedLoop } from './rig/webhook-load';
import { PARTS, startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber } from './rig/settings';

/*
 * Whether the history of ended deliveries costs anything: throughput, CPU and the time of a claim with millions of
 * ended deliveries of the last 30 days and without them, in turn. Their partitions are detached and attached for that,
 * because a machine is often slower after minutes of writing than before, and its speed changes with time anyway.
 * `npx tsx bench/history.ts` with ROWS (20,000,000: 20 GB of disk), SECONDS (30), ROUNDS (3), SUBSCRIPTIONS (20),
 * REST_SECONDS (60: from the last row written to the first measurement).
 */

const ROWS = wholeNumber('ROWS', 20_000_000, 100_000_000);
const SECONDS = wholeNumber('SECONDS', 30, 600);
const ROUNDS = wholeNumber('ROUNDS', 3, 20);
const SUBSCRIPTIONS = wholeNumber('SUBSCRIPTIONS', 20, 2_000);
const REST_SECONDS = wholeNumber('REST_SECONDS', 60, 3_600);
const CLIENTS = 64;
const WARM_UP_SECONDS = 5;
const CLAIMS = 200;
const CLAIMED = 20;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`${SECONDS} s each, ${CLIENTS} clients, ${SUBSCRIPTIONS} subscriptions`);
    const stores = await rig.addStores(SUBSCRIPTIONS, '/ok');
    await measure(rig, stores); // warms up, and makes rows to weigh
    const made = await bytesOfMade(rig.sql);
    const startedAt = performance.now();
    const patient = connect(rig.databaseUrl, { max: 1, statementTimeoutMs: 0 });
    const history = await fillHistory(patient, ROWS);
    console.log(
      `${ROWS} rows put in ${((performance.now() - startedAt) / 1000).toFixed(0)} s. Bytes on disk of a delivery with ` +
        `its attempt and indexes: ${history.bytesEach.toFixed(0)} put so, ${made.toFixed(0)} made by the load`,
    );
    await sleep(REST_SECONDS * 1000);
    const rounds: Round[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      const stored = await measure(rig, stores);
      await detachHistory(patient, history);
      const empty = await measure(rig, stores);
      await attachHistory(patient, history);
      rounds.push({ stored, empty });
    }
    await patient.end();
    console.table(
      rounds.flatMap(({ stored, empty }) => [
        { ended: ROWS, ...stored },
        { ended: 0, ...empty },
      ]),
    );
    console.log(
      `with the rows against without, median of the rounds: deliveries a second ${ratioOf(rounds, 'deliveries/s')}, ` +
        `CPU ${ratioOf(rounds, 'CPU ms')}, claim ${ratioOf(rounds, 'claim p50 ms')}`,
    );
  } finally {
    await rig.stop();
  }
}

interface Round {
  readonly stored: Measured;
  readonly empty: Measured;
}

type Measured = Awaited<ReturnType<typeof measure>>;

function ratioOf(rounds: readonly Round[], figure: keyof Measured): string {
  const ratios = rounds.map(({ stored, empty }) => Number(stored[figure]) / Number(empty[figure]));
  return median(ratios).toFixed(2);
}

async function measure(rig: WebhookRig, stores: readonly number[]) {
  await closedLoop(rig, stores, { clients: CLIENTS, seconds: WARM_UP_SECONDS });
  const written = await walPosition(rig.sql);
  const before = rig.cpu();
  const posted = await closedLoop(rig, stores, { clients: CLIENTS, seconds: SECONDS });
  const after = rig.cpu();
  await rig.settled();
  await rig.takeArrivals();
  const wal = ((await walPosition(rig.sql)) - written) / posted.length;
  const spent = (part: (typeof PARTS)[number]): string =>
    (((after[part] - before[part]) * 1000) / posted.length).toFixed(2);
  const all = PARTS.reduce((sum, part) => sum + Number(spent(part)), 0);
  const claim = spread(await timeClaims(rig.sql));
  return {
    'deliveries/s': Math.round(posted.length / SECONDS),
    'CPU ms': all.toFixed(2),
    'of Postgres': spent('postgres'),
    'WAL bytes': wal.toFixed(0),
    'claim p50 ms': claim.p50,
    'claim p99 ms': claim.p99,
    'page of a list ms': (await timeList(rig.sql)).p50,
  };
}

/** Claims of 20 out of 4,000 that wait, for a paused receiver, so that no worker takes them; each after the one before was given back as if it had ended. */
async function timeClaims(sql: Sql): Promise<number[]> {
  const subscriptionId = newId('sub');
  const system = randomUUID();
  await sql`
    with made as (
      insert into inventory_system (inventory_system_id, name, name_key, created_by)
      select ${system}::uuid, 'claims', ${system}, user_id from app_user limit 1
    )
    insert into subscription (subscription_id, inventory_system_id, type, url, secret_encrypted, paused_until)
    values (${subscriptionId}, ${system}::uuid, 2, 'https://claims.example/hang', '',
      now() + interval '1 h')`;
  await sql`
    insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, payload, payload_bytes,
      request_id, user_id)
    select 'dlv_' || md5(${subscriptionId} || n), 'msg', ${subscriptionId}, ${system}::uuid, 2, '{}', 2, 'r', 'u'
    from generate_series(1, ${CLAIMS * CLAIMED}::int) n`;
  const [own] = await sql<{ shard: number; epoch: number }[]>`
    select shard, epoch from subscription join webhook_shard using (shard) where subscription_id = ${subscriptionId}`;
  if (!own) throw new Error('the subscription has no shard');
  const took: number[] = [];
  for (let n = 0; n < CLAIMS; n += 1) {
    const request = { ...own, subscriptionId, most: CLAIMED, healthVersion: 0 };
    const startedAt = performance.now();
    const claimed = await claimDeliveries(sql, [request], 30_000);
    took.push(performance.now() - startedAt);
    if (claimed.length !== CLAIMED) throw new Error(`${claimed.length} deliveries were claimed`);
    await sql`
      delete from delivery where delivery_id = any(${claimed.map((row) => row.deliveryId)}::text[])`;
  }
  return took;
}

async function timeList(sql: Sql) {
  const [user] = await sql<{ userId: string }[]>`select created_by as user_id from store limit 1`;
  const viewer = { userId: user?.userId as never, seesAll: false };
  const took: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const startedAt = performance.now();
    await listDeliveries(sql, viewer, { events: false, limit: 50 });
    took.push(performance.now() - startedAt);
  }
  return spread(took);
}

async function walPosition(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`;
  return row?.bytes ?? Number.NaN;
}

/** Disk used by the load: rows, indexes, and the growth of the queue. */
async function bytesOfMade(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select (pg_total_relation_size('delivery') + pg_total_relation_size('attempt') + (
        select sum(pg_total_relation_size(relid)) from pg_partition_tree('ended_delivery') where isleaf))::float8
      / (select count(*) from ended_delivery) as bytes`;
  return row?.bytes ?? Number.NaN;
}

void main();
