import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from './rig/quantile';
import { openLoop, untilArrival } from './rig/webhook-load';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeArgument } from './rig/settings';

/*
 * A second worker is added while all shards have traffic, and killed again: how long it takes until it has its share,
 * and until the first has everything back. Times are from its first lease, and from its death. Nothing may be lost.
 *
 *   npx tsx bench/add-worker.ts [events a second, 200] [subscriptions, 100]
 */

const rate = wholeArgument(0, 'events a second', 200, 10_000);
const subscriptions = wholeArgument(1, 'subscriptions', 100, 2_000);
const SECONDS = 30;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    const stores = await rig.addStores(subscriptions, '/ok');
    await openLoop(rig, stores, { rate, seconds: 5 });
    await rig.settled();
    await rig.takeArrivals();
    const load = openLoop(rig, stores, { rate, seconds: SECONDS });
    const shards = Math.max(...(await shardsOfEach(rig)));
    await sleep(3_000);
    const second = rig.addWorker();
    const leases = await until(() => countWorkers(rig), 2);
    const shared = await until(async () => Math.max(...(await shardsOfEach(rig))), shards / 2);
    await sleep(5_000);
    second.kill('SIGKILL');
    await once(second, 'exit');
    const killedAt = performance.now();
    await until(async () => (await shardsOfEach(rig)).length, 1);
    const back = await until(async () => Math.max(...(await shardsOfEach(rig))), shards);
    const posted = await load;
    await rig.settled();
    const arrivals = await rig.takeArrivals();
    const took = untilArrival(posted, arrivals);
    console.log(
      `${shards} shards, ${rate} events a second over ${subscriptions} subscriptions: shared ${Math.round(shared - leases)} ms ` +
        `after the second worker's first lease, back ${Math.round(back - killedAt)} ms after it was killed`,
    );
    console.table([
      {
        ...spread(took.filter((ms) => !Number.isNaN(ms))),
        lost: took.filter(Number.isNaN).length,
        duplicates: arrivals.duplicates,
      },
    ]);
  } finally {
    await rig.stop();
  }
}

/** When it was so, by `performance.now()`. */
async function until(look: () => Promise<number>, value: number): Promise<number> {
  while ((await look()) !== value) await sleep(20);
  return performance.now();
}

async function shardsOfEach({ sql }: WebhookRig): Promise<number[]> {
  const rows = await sql<{ shards: number }[]>`
    select count(*)::int as shards from webhook_shard join webhook_worker using (worker)
    where lease_until > now() group by worker`;
  return rows.map(({ shards }) => shards);
}

async function countWorkers({ sql }: WebhookRig): Promise<number> {
  const [row] = await sql<{ workers: number }[]>`
    select count(*)::int as workers from webhook_worker where lease_until > now()`;
  return row?.workers ?? 0;
}

void main();
