import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './rig/quantile';
import { closedLoop, type Posted, untilArrival } from './rig/webhook-load';
import { type EventType, startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { wholeNumber } from './rig/settings';

/*
 * A burst of events after a rest: the consumers of all subscriptions have ended, and 64 clients begin at the same
 * moment. From the POST to the arrival at the receiver, for what is posted in the first second and in all of the burst,
 * beside a burst without a rest.
 */

const SECONDS = wholeNumber('SECONDS', 6, 600);
const ROUNDS = wholeNumber('ROUNDS', 3, 20);
const CLIENTS = wholeNumber('CLIENTS', 64, 256);
const SUBSCRIPTIONS = wholeNumber('SUBSCRIPTIONS', 200, 2_000);
const TYPE = wholeNumber('TYPE', 1, 2) as EventType;
const WARM_UP_SECONDS = 15;
/** Consumers end 2 s after the last delivery, and the processes still compile and collect. */
const REST_SECONDS = 40;

async function main(): Promise<void> {
  const rig = await startWebhookRig(TYPE);
  try {
    console.log(rig.setting.join('\n'));
    console.log(
      `type ${TYPE}, ${CLIENTS} clients, ${SUBSCRIPTIONS} subscriptions, bursts of ${SECONDS} s; ms from POST to arrival`,
    );
    const stores = await rig.addStores(SUBSCRIPTIONS, '/ok');
    await closedLoop(rig, stores, { clients: CLIENTS, seconds: WARM_UP_SECONDS });
    const rows = [await measure(rig, stores, 0)];
    for (let round = 0; round < ROUNDS; round += 1) {
      rows.push(await measure(rig, stores, REST_SECONDS));
    }
    console.table(rows);
  } finally {
    await rig.stop();
  }
}

async function measure(rig: WebhookRig, stores: readonly number[], restSeconds: number) {
  await rig.settled();
  await sleep(restSeconds * 1_000);
  await rig.takeArrivals();
  const startedAt = performance.timeOrigin + performance.now();
  const posted = await closedLoop(rig, stores, { clients: CLIENTS, seconds: SECONDS });
  await rig.settled();
  const arrivals = await rig.takeArrivals();
  const first = posted.filter(({ at }) => at - startedAt < 1_000);
  const describe = (some: readonly Posted[], of: string) => {
    const sorted = untilArrival(some, arrivals).toSorted((one, other) => one - other);
    return Object.fromEntries(
      [0.5, 0.95, 0.99].map((q) => [`${of} p${100 * q}`, quantile(sorted, q).toFixed(0)]),
    );
  };
  return {
    'rest s': restSeconds,
    'events/s': Math.round(posted.length / SECONDS),
    lost: posted.length - arrivals.first.length,
    duplicates: arrivals.duplicates,
    ...describe(first, 'first second'),
    ...describe(posted, 'all'),
  };
}

void main();
