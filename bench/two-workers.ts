import { join } from 'node:path';
import { cpuSeconds } from './rig/cpu';
import { endProcess, startProcess } from './rig/deployment';
import { positiveNumber, wholeNumber } from './rig/settings';
import { closedLoop, openLoop } from './rig/webhook-load';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';

/*
 * What a second worker adds: deliveries a second through one worker and through two. Every worker may run for `SHARE`
 * of a core, so that it is what ends first and not the machine, the API or Postgres. The events are item data, which
 * nobody waits for, and `RATE` of them come a second, more than the workers can send: with clients that wait for the
 * receiver's answer, one worker rests whenever all of them wait for the other. Prints both rates and their ratio; 2
 * would be perfect. With a higher `RATE` it shows what a worker still sends that is far too slow for what comes.
 *
 *   SHARE=0.15 RATE=1000 SECONDS=20 npx tsx bench/two-workers.ts
 */

const SHARE = positiveNumber('SHARE', 0.15, 0.9);
const SECONDS = wholeNumber('SECONDS', 20, 600);
const SUBSCRIPTIONS = wholeNumber('SUBSCRIPTIONS', 200, 2_000);
const RATE = wholeNumber('RATE', 1_000, 10_000);
const CLIENTS = 64;
/** After these, more waits than the workers send. */
const FILLING_SECONDS = 3;

async function main(): Promise<void> {
  const rig = await startWebhookRig(1);
  const brakes: ReturnType<typeof startProcess>[] = [];
  const brake = (pid: number): void => {
    brakes.push(
      startProcess(join(__dirname, 'rig', 'child-brake.ts'), {
        args: [String(pid), String(SHARE)],
        execArgv: ['--import', 'tsx'],
      }),
    );
  };
  try {
    console.log(rig.setting.join('\n'));
    console.log(
      `${SUBSCRIPTIONS} subscriptions, ${RATE} events a second for ${SECONDS} s; a worker gets ${SHARE} of a core`,
    );
    const stores = await rig.addStores(SUBSCRIPTIONS, '/ok');
    await closedLoop(rig, stores, { clients: CLIENTS, seconds: 5 });
    brake(rig.pids.worker);
    const one = await measure(rig, stores, [rig.pids.worker]);
    const second = rig.addWorker();
    // Shards move while they have traffic.
    while (!(await isShared(rig))) await closedLoop(rig, stores, { clients: CLIENTS, seconds: 1 });
    const pid = second.pid ?? 0;
    brake(pid);
    const two = await measure(rig, stores, [rig.pids.worker, pid]);
    console.table([one, two]);
    console.log(`ratio ${(two['deliveries/s'] / one['deliveries/s']).toFixed(2)}`);
  } finally {
    await Promise.all(brakes.map(endProcess));
    await rig.stop();
  }
}

async function measure(rig: WebhookRig, stores: readonly number[], pids: readonly number[]) {
  await rig.settled();
  await rig.takeArrivals();
  const filling = await openLoop(rig, stores, { rate: RATE, seconds: FILLING_SECONDS });
  const [before, from] = [pids.map(cpuSeconds), performance.timeOrigin + performance.now()];
  const posted = await openLoop(rig, stores, { rate: RATE, seconds: SECONDS });
  const to = performance.timeOrigin + performance.now();
  const cpu = pids.map((pid, at) => cpuSeconds(pid) - (before[at] ?? 0));
  const { pending } = await rig.backlog();
  await rig.settled();
  const { first } = await rig.takeArrivals();
  const accepted = [...filling, ...posted].filter(({ status }) => status === rig.expectedStatus);
  const arrived = first.filter(([, at]) => at >= from && at < to);
  return {
    workers: pids.length,
    'deliveries/s': Math.round(arrived.length / SECONDS),
    'accepted/s': Math.round(posted.length / SECONDS),
    'waiting at the end': pending,
    lost: accepted.length - first.length,
    'workers, % of a core': cpu
      .map((seconds) => Math.round((seconds / SECONDS) * 100))
      .join(' and '),
  };
}

/** Whether both workers have shards. */
async function isShared({ sql }: WebhookRig): Promise<boolean> {
  const rows =
    await sql`select from webhook_shard join webhook_worker using (worker) group by worker`;
  return rows.length === 2;
}

void main();
