import { setTimeout as sleep } from 'node:timers/promises';
import { spread } from './rig/quantile';
import { closedLoop, openLoop, type Posted, untilArrival } from './rig/webhook-load';
import { PARTS, startWebhookRig, type WebhookRig } from './rig/webhook-rig';
import { positiveNumber, wholeNumber } from './rig/settings';

/*
 * More than the service can do: FACTOR times the events a second that 64 clients get acknowledged, regardless of
 * earlier answers. Goodput: acknowledged events (200) a second, compared with the same before. Afterwards a quarter
 * of the capacity, at once and ten seconds later. No accepted event (200, 202) may be lost.
 */

const SECONDS = wholeNumber('SECONDS', 60, 600);
const FACTOR = positiveNumber('FACTOR', 5, 20);
const SUBSCRIPTIONS = 200;

async function main(): Promise<void> {
  const rig = await startWebhookRig();
  try {
    console.log(rig.setting.join('\n'));
    const stores = await rig.addStores(SUBSCRIPTIONS, '/ok');
    await closedLoop(rig, stores, { clients: 64, seconds: 5 });
    const before = await closedLoop(rig, stores, { clients: 64, seconds: Math.min(SECONDS, 20) });
    const capacity = acknowledged(before) / Math.min(SECONDS, 20);
    console.log(
      `${SUBSCRIPTIONS} subscriptions, capacity ${Math.round(capacity)}/s with 64 clients; then ${FACTOR} times as many for ${SECONDS} s`,
    );
    const quarter = { rate: Math.max(1, Math.round(capacity / 4)), seconds: 10 };
    await rig.settled();
    const calm = await openLoop(rig, stores, quarter);
    const [cpuBefore, beganAt] = [rig.cpu(), performance.now()];
    const flood = await openLoop(rig, stores, {
      rate: Math.round(capacity * FACTOR),
      seconds: SECONDS,
    });
    // A generator that shares the cores may take longer to send them all.
    const elapsed = (performance.now() - beganAt) / 1_000;
    const cpuAfter = rig.cpu();
    const atOnce = await openLoop(rig, stores, quarter);
    const later = await openLoop(rig, stores, quarter);
    await rig.settled();
    const lost = await countLost(rig, flood);
    console.log(
      `goodput ${(acknowledged(flood) / elapsed / capacity).toFixed(2)}, ${elapsed.toFixed(0)} s until all ${flood.length} were answered`,
    );
    const cost = PARTS.map((part) => `${part} ${(cpuAfter[part] - cpuBefore[part]).toFixed(1)}`);
    console.log(`CPU seconds meanwhile: ${cost.join(', ')}`);
    console.table([
      row('a quarter, before', calm),
      row(`${FACTOR} times`, flood),
      row('a quarter, at once', atOnce),
      row('a quarter, 10 s later', later),
    ]);
    console.log(`accepted and lost: ${lost}`);
  } finally {
    await rig.stop();
  }
}

function acknowledged(posted: readonly Posted[]): number {
  return posted.filter(({ status }) => status === 200).length;
}

function row(run: string, posted: readonly Posted[]) {
  const statuses = new Map<string, number>();
  for (const { status } of posted) {
    const name = status === 0 ? 'no answer' : String(status);
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
  }
  const done = posted.filter(({ status }) => status === 200).map(({ ms }) => ms);
  const refused = posted.filter(({ status }) => status === 503).map(({ ms }) => ms);
  return {
    run,
    ...Object.fromEntries(statuses),
    ...prefixed('200', spread(done)),
    ...prefixed('503', spread(refused)),
  };
}

function prefixed(name: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${name} ${key}`, value]),
  );
}

/** Deliveries of accepted events that have not arrived, a while after nothing is pending any more. */
async function countLost(rig: WebhookRig, posted: readonly Posted[]): Promise<number> {
  await sleep(1_000);
  const arrivals = await rig.takeArrivals();
  const accepted = posted.filter(({ status }) => status === 200 || status === 202);
  return untilArrival(accepted, arrivals).filter(Number.isNaN).length;
}

void main();
