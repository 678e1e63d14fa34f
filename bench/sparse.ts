import { setTimeout as sleep } from 'node:timers/promises';
import { median, spread } from './rig/quantile';
import { closedLoop, openLoop, untilArrival } from './rig/webhook-load';
import { startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { scheduledPerSecond } from './rig/cpu';
import { wholeNumber } from './rig/settings';

/*
 * Stock events spread over many quiet subscriptions: a fixed rate, stores in turn, so that each gets one only now and
 * then. Arguments: `<subscriptions>x<events a second>` …, without any `500x10 2000x20`. The CPU of a delivery is what
 * its seconds cost beyond those in which everything is up and nothing happens. A load of WARM_UP_SECONDS comes first: a
 * service that runs for hours has compiled its code, one that has just started has not.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const IDLE_SECONDS = wholeNumber('IDLE_SECONDS', 40, 600);
const IDLE_STRETCHES = 5;
/** A load before all else, because code that has run a few hundred times is not compiled yet. */
const WARM_UP_SECONDS = wholeNumber('WARM_UP_SECONDS', 20, 600);
/** Consumers have ended by then; the processes still compile and collect. */
const SETTLE_MS = 40_000;
/** The parts whose cost is that of a delivery; receiver and generator are the benchmark's own. */
const PARTS = ['api', 'worker', 'postgres', 'temporal'] as const;
type Part = (typeof PARTS)[number];

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    console.log(
      `${SECONDS} s each, open loop, bodies of 300 bytes; before it ${WARM_UP_SECONDS} s of load by 64 clients`,
    );
    await warmUp(rig);
    const idle = await whenIdle(rig);
    console.log(`idle, ms of CPU a second: ${PARTS.map((part) => each(part, idle)).join(', ')}`);
    const runs = process.argv.length > 2 ? process.argv.slice(2) : ['500x10', '2000x20'];
    const rows = [];
    for (const run of runs) rows.push(await measure(rig, run, idle));
    console.table(rows);
  } finally {
    await rig.stop();
  }
}

async function warmUp(rig: WebhookRig): Promise<void> {
  const stores = await rig.addStores(200, '/ok');
  await closedLoop(rig, stores, { clients: 64, seconds: WARM_UP_SECONDS });
  await rig.settled();
  await rig.takeArrivals();
  await sleep(SETTLE_MS);
}

type Cost = Readonly<Record<Part, number>>;

/** Each part's median, because Postgres vacuums in one of the stretches what the load before has left. */
async function whenIdle(rig: WebhookRig): Promise<Cost> {
  const costs: Cost[] = [];
  for (let stretch = 0; stretch < IDLE_STRETCHES; stretch += 1) {
    costs.push(
      await scheduledPerSecond(rig.pids, () => sleep((IDLE_SECONDS * 1000) / IDLE_STRETCHES)),
    );
  }
  const medians = PARTS.map((part) => [part, median(costs.map((cost) => cost[part]))]);
  return Object.fromEntries(medians) as Record<Part, number>;
}

function each(part: Part, cost: Cost): string {
  return `${part} ${cost[part].toFixed(1)}`;
}

async function measure(rig: WebhookRig, run: string, idle: Cost) {
  const [count, rate] = run.split('x').map(Number);
  if (!count || !rate) throw new Error(`not <subscriptions>x<events a second>: ${run}`);
  const stores = await rig.addStores(count, '/ok');
  // Connections, statements and code are warm then; most subscriptions have still had nothing.
  await openLoop(rig, stores, { rate, seconds: 5 });
  await rig.settled();
  await rig.takeArrivals();
  let posted: Awaited<ReturnType<typeof openLoop>> = [];
  const cost = await scheduledPerSecond(rig.pids, async () => {
    posted = await openLoop(rig, stores.toReversed(), { rate, seconds: SECONDS });
  });
  await rig.settled();
  const arrivals = await rig.takeArrivals();
  const beyond = PARTS.map((part) => (cost[part] - idle[part]) / rate);
  return {
    run,
    ...spread(untilArrival(posted, arrivals)),
    'not 200': posted.filter((event) => event.status !== 200).length,
    lost: posted.length - arrivals.first.length,
    duplicates: arrivals.duplicates,
    ...Object.fromEntries(PARTS.map((part, index) => [`${part} ms`, beyond[index]?.toFixed(2)])),
    'all ms': beyond.reduce((sum, ms) => sum + ms, 0).toFixed(2),
  };
}

void main();
