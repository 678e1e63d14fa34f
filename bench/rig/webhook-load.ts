import { atRate } from './pace';
import type { Arrivals } from './webhook-receiver';
import type { WebhookRig } from './webhook-rig';

/** One event that was answered. Times are ms since the epoch, with fractions. */
export interface Posted {
  readonly event: number;
  readonly storeId: number;
  readonly at: number;
  readonly ms: number;
  /** 0: no answer. */
  readonly status: number;
}

let lastEvent = 0;

async function post(rig: WebhookRig, storeId: number): Promise<Posted> {
  const event = (lastEvent += 1);
  const at = performance.timeOrigin + performance.now();
  const status = await rig.post(storeId, event).catch(() => 0);
  return { event, storeId, at, status, ms: performance.timeOrigin + performance.now() - at };
}

function storeOf(stores: readonly number[], nth: number): number {
  const store = stores[nth % stores.length];
  if (store === undefined) throw new Error('a load needs a store');
  return store;
}

/** `clients` that send one event after the other, each as soon as the last is answered; stores in turn. */
export async function closedLoop(
  rig: WebhookRig,
  stores: readonly number[],
  { clients, seconds }: { clients: number; seconds: number },
): Promise<Posted[]> {
  const posted: Posted[] = [];
  const until = performance.now() + seconds * 1000;
  let nth = 0;
  const send = async (): Promise<void> => {
    while (performance.now() < until) posted.push(await post(rig, storeOf(stores, nth++)));
  };
  await Promise.all(Array.from({ length: clients }, send));
  return posted;
}

/** `rate` events a second, whether or not the ones before have been answered; stores in turn. */
export async function openLoop(
  rig: WebhookRig,
  stores: readonly number[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Posted[]> {
  return atRate(rate, seconds, (nth) => post(rig, storeOf(stores, nth)));
}

/** From the POST of each event to its arrival, ms; NaN for one that has not arrived. */
export function untilArrival(posted: readonly Posted[], arrivals: Arrivals): number[] {
  const arrivedAt = new Map(arrivals.first);
  return posted.map(({ event, at }) => (arrivedAt.get(event) ?? Number.NaN) - at);
}
