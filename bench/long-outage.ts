import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from './rig/cpu';
import { spread } from './rig/quantile';
import { openLoop, untilArrival } from './rig/webhook-load';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber } from './rig/settings';

/*
 * Postgres stands still for longer than a minute, beside two workers and a load: when it goes on, when all
 * workers have a lease again, how many shards changed hands, and what was lost or sent twice. All leases end meanwhile.
 *
 *   AWAY_SECONDS=70 RATE=50 npx tsx bench/long-outage.ts
 */

const AWAY_SECONDS = wholeNumber('AWAY_SECONDS', 70, 600);
const RATE = wholeNumber('RATE', 50, 1_000);
const SUBSCRIPTIONS = 100;
const AFTER_SECONDS = 30;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    const stores = await rig.addStores(SUBSCRIPTIONS, '/ok');
    const second = rig.addWorker();
    await openLoop(rig, stores, { rate: RATE, seconds: 15 });
    await rig.settled();
    await rig.takeArrivals();
    const seconds = 5 + AWAY_SECONDS + AFTER_SECONDS;
    const load = openLoop(rig, stores, { rate: RATE, seconds });
    await sleep(5_000);
    const before = await owned(rig);
    const postgres = familyOf(rig.pids.postgres);
    for (const pid of postgres) process.kill(pid, 'SIGSTOP');
    await sleep(AWAY_SECONDS * 1_000);
    for (const pid of postgres) process.kill(pid, 'SIGCONT');
    const backAt = performance.now();
    while ((await owned(rig)).length < before.length) await sleep(20);
    console.log(
      `${before.length} shards have a living worker again ${Math.round(performance.now() - backAt)} ms after the outage`,
    );
    const posted = await load;
    await rig.settled();
    const arrivals = await rig.takeArrivals();
    const accepted = posted.filter(({ status }) => status === 200 || status === 202);
    const took = untilArrival(accepted, arrivals);
    const epochs = new Map(before.map(({ shard, epoch }) => [shard, epoch]));
    const after = await owned(rig);
    console.table([
      {
        posted: posted.length,
        accepted: accepted.length,
        lost: took.filter(Number.isNaN).length,
        duplicates: arrivals.duplicates,
        'shards that changed hands': after.filter(({ shard, epoch }) => epochs.get(shard) !== epoch)
          .length,
        'second worker ended': second.exitCode !== null || second.signalCode !== null,
        ...spread(took.filter((ms) => !Number.isNaN(ms))),
      },
    ]);
  } finally {
    await rig.stop();
  }
}

async function owned({ sql }: WebhookRig) {
  return sql<{ shard: number; epoch: number }[]>`
    select shard, epoch from webhook_shard join webhook_worker using (worker) where lease_until > now()`;
}

void main();
