import { setTimeout as sleep } from 'node:timers/promises';
import { scheduledPerSecond } from './rig/cpu';
import { residentMegabytes } from './rig/memory';
import { closedLoop } from './rig/webhook-load';
import { type Part, startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wakeups, wakeupsPerSecond } from './rig/wakeups';
import { wholeNumber } from './rig/settings';

/*
 * The cost of an idle service: everything is up, for a minute after its start, and for a minute after a load
 * that has come to rest. CPU in percent of one core, memory of the process (RSS), and how often the threads of API
 * and worker are woken, which is the cost of idling.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const LOAD_SECONDS = wholeNumber('LOAD_SECONDS', 20, 600);
/** For a minute after a start V8's threads compile and collect, as much again as is measured here. */
const SETTLE_MS = 75_000;
/** Whatever the load has begun ends within 30 s; then the same as after a start. */
const REST_MS = 30_000 + SETTLE_MS;
const MEASURED = ['api', 'worker', 'temporal', 'postgres'] as const satisfies readonly Part[];

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(`${SECONDS} s each; a load of ${LOAD_SECONDS} s, 64 clients, 200 subscriptions`);
    await sleep(SETTLE_MS);
    const rows = [await measure(rig, 'after the start')];
    const stores = await rig.addStores(200, '/ok');
    await closedLoop(rig, stores, { clients: 64, seconds: LOAD_SECONDS });
    const underLoad = memory(rig);
    await rig.settled();
    await sleep(REST_MS);
    rows.push(await measure(rig, 'after a load'));
    console.table([...rows, { when: 'at the end of the load', ...underLoad }]);
  } finally {
    await rig.stop();
  }
}

function memory(rig: WebhookRig) {
  return {
    'api MB': Math.round(residentMegabytes(rig.pids.api)),
    'worker MB': Math.round(residentMegabytes(rig.pids.worker)),
  };
}

async function measure(rig: WebhookRig, when: string) {
  const read = () => ({ api: wakeups(rig.pids.api), worker: wakeups(rig.pids.worker) });
  const [before, startedAt] = [read(), performance.now()];
  const cost = await scheduledPerSecond(rig.pids, () => sleep(SECONDS * 1_000));
  const [after, seconds] = [read(), (performance.now() - startedAt) / 1_000];
  for (const part of ['api', 'worker'] as const) {
    const rates = wakeupsPerSecond(before[part], after[part], seconds)
      .filter(([, rate]) => rate >= 0.1)
      .map(([name, rate]) => `${name} ${rate.toFixed(1)}`);
    console.log(`${when}, wakeups a second of the ${part}'s threads: ${rates.join(', ')}`);
  }
  const percent = MEASURED.map((part) => [`${part} %`, (cost[part] / 10).toFixed(2)]);
  return { when, ...Object.fromEntries(percent), ...memory(rig) };
}

void main();
