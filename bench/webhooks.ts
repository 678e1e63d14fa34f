import { setTimeout as sleep } from 'node:timers/promises';
import { quantile, spread } from './rig/quantile';
import { closedLoop, openLoop, untilArrival } from './rig/webhook-load';
import { type EventType, PARTS, startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber, wholeNumbers } from './rig/settings';

/*
 * Events over HTTP to the API, from there to receivers that answer 204 at once, and back to the caller: stock movements
 * (type 2, whose callers wait for the receiver) or item data (`TYPE=1`, which the API only takes).
 * `throughput`: clients that send the next event when the last is acknowledged. `one client`: the same with one, which
 * is what a person at a till feels. `open loop`: a fixed rate, from the POST to the arrival at the receiver.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const CLIENTS = wholeNumber('CLIENTS', 64, 256);
const SUBSCRIPTIONS = wholeNumbers('SUBSCRIPTIONS', '1,20,200', 2_000);
const TYPE = wholeNumber('TYPE', 2, 2) as EventType;
const RATE = 200;
const WARM_UP_SECONDS = 5;

async function main(): Promise<void> {
  const rig = await startWebhookRig(TYPE);
  try {
    console.log(rig.setting.join('\n'));
    console.log(
      `type ${TYPE}, ${SECONDS} s each, ${CLIENTS} clients, bodies of 300 bytes, max_in_flight 20`,
    );
    const rows = [];
    for (const count of SUBSCRIPTIONS) {
      rows.push(await measure(rig, await rig.addStores(count, '/ok')));
    }
    console.log('throughput');
    console.table(rows.map((row) => row.throughput));
    console.log('CPU ms per delivery');
    console.table(rows.map((row) => row.cpu));
    console.log('one client: POST to acknowledgement, ms');
    console.table(rows.map((row) => row.alone));
    console.log(`open loop, ${RATE}/s: POST to arrival, ms`);
    console.table(rows.map((row) => row.open));
  } finally {
    await rig.stop();
  }
}

async function measure(rig: WebhookRig, stores: readonly number[]) {
  const subscriptions = stores.length;
  await closedLoop(rig, stores, { clients: CLIENTS, seconds: WARM_UP_SECONDS });
  const alone = await closedLoop(rig, stores.slice(0, 1), { clients: 1, seconds: 5 });
  await closedLoop(rig, stores, { clients: CLIENTS, seconds: 1 }); // the other consumers have ended meanwhile
  await rig.settled();
  await rig.takeArrivals();
  const open = await openLoop(rig, stores, { rate: RATE, seconds: Math.min(SECONDS, 30) });
  // Item data arrives after its answer.
  await rig.settled();
  const openArrivals = await rig.takeArrivals();
  return {
    alone: { subscriptions, ...spread(alone.map((each) => each.ms)) },
    open: { subscriptions, ...spread(untilArrival(open, openArrivals)) },
    ...(await measureThroughput(rig, stores)),
  };
}

async function measureThroughput(rig: WebhookRig, stores: readonly number[]) {
  const subscriptions = stores.length;
  const watching = new AbortController();
  const backlog = watchBacklog(rig, watching.signal);
  const before = rig.cpu();
  const posted = await closedLoop(rig, stores, { clients: CLIENTS, seconds: SECONDS });
  const after = rig.cpu();
  watching.abort();
  await rig.settled();
  const arrivals = await rig.takeArrivals();
  const perDelivery = PARTS.map((part) => ((after[part] - before[part]) * 1000) / posted.length);
  const all = perDelivery.reduce((sum, each) => sum + each, 0);
  return {
    throughput: {
      subscriptions,
      'deliveries/s': Math.round(posted.length / SECONDS),
      'answered otherwise': posted.filter((each) => each.status !== rig.expectedStatus).length,
      lost: posted.length - arrivals.first.length,
      duplicates: arrivals.duplicates,
      'oldest waiting ms': Math.round(await backlog),
      ...spread(posted.map((each) => each.ms)),
      ...arrivalOf(untilArrival(posted, arrivals)),
    },
    cpu: {
      subscriptions,
      ...Object.fromEntries(PARTS.map((part, index) => [part, perDelivery[index]?.toFixed(2)])),
      all: all.toFixed(2),
    },
  };
}

/** How long it took from the POST to the arrival, ms. */
function arrivalOf(ms: readonly number[]) {
  const sorted = ms.toSorted((one, other) => one - other);
  return {
    'arrival p50': quantile(sorted, 0.5).toFixed(1),
    p95: quantile(sorted, 0.95).toFixed(1),
  };
}

/** How long the oldest due delivery had waited at worst, looking once a second. */
async function watchBacklog(rig: WebhookRig, signal: AbortSignal): Promise<number> {
  let worst = 0;
  while (!signal.aborted) {
    worst = Math.max(worst, (await rig.backlog()).oldestMs);
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
  return worst;
}

void main();
