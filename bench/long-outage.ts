import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from './rig/cpu';
import { spread } from './rig/quantile';
import { openLoop, untilArrival } from './rig/webhook-load';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber } from './rig/settings';

/*
 * Postgres stands still for longer than a minute, beside two workers and a load: when it goes on, which drains have a
 * promise again, how many lines changed their drain, and what was lost or sent twice. All promises expire meanwhile.
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
    const before = await drains(rig);
    const postgres = familyOf(rig.pids.postgres);
    for (const pid of postgres) process.kill(pid, 'SIGSTOP');
    await sleep(AWAY_SECONDS * 1_000);
    for (const pid of postgres) process.kill(pid, 'SIGCONT');
    const backAt = performance.now();
    while ((await drains(rig)).length < before.length) await sleep(20);
    console.log(
      `${before.length} lines have a promise again ${Math.round(performance.now() - backAt)} ms after the outage`,
    );
    const posted = await load;
    await rig.settled();
    const arrivals = await rig.takeArrivals();
    const accepted = posted.filter(({ status }) => status === 200 || status === 202);
    const took = untilArrival(accepted, arrivals);
    const epochs = new Map(before.map(({ line, epoch }) => [line, epoch]));
    const after = await drains(rig);
    console.table([
      {
        posted: posted.length,
        accepted: accepted.length,
        lost: took.filter(Number.isNaN).length,
        duplicates: arrivals.duplicates,
        'lines that changed their drain': after.filter(
          ({ line, epoch }) => epochs.get(line) !== epoch,
        ).length,
        'second worker ended': second.exitCode !== null || second.signalCode !== null,
        ...spread(took.filter((ms) => !Number.isNaN(ms))),
      },
    ]);
  } finally {
    await rig.stop();
  }
}

async function drains({ sql }: WebhookRig) {
  return sql<{ line: number; epoch: number }[]>`
    select line, epoch from webhook_line where alive_until > now()`;
}

void main();
