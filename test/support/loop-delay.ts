import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** How long the event loop was held at most during `work`, ms. */
export async function delayDuring(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  await work();
  // A block of the loop is known only in its next round.
  await delay(50);
  delays.disable();
  return delays.max / 1e6;
}
