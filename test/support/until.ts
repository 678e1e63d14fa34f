import { setTimeout as sleep } from 'node:timers/promises';

/** A little below the limit of a test (`testTimeout`), so that a wait in vain says for what, ms. */
export const LONGEST_WAIT_MS = 100_000;

/**
 * Waits until `condition` holds, checking every 10 ms; throws after `ms`. The limit is generous for busy machines:
 * measure speed by what happened meanwhile, not by a clock.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = LONGEST_WAIT_MS,
): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`condition not met in ${ms} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
