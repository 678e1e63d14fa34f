import { setTimeout as sleep } from 'node:timers/promises';

/** A little below the limit of a test (`testTimeout`), so that a wait in vain says for what, ms. */
export const LONGEST_WAIT_MS = 100_000;

/** Between two looks at first, and later: a look may be a statement or a request, and a hundred a second keep a processor busy. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 50];

/**
 * Waits until `condition` holds, checking every 10 ms and after a second every 50 ms; throws after `ms`. The limit is
 * generous for busy machines: measure speed by what happened meanwhile, not by a clock.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = LONGEST_WAIT_MS,
): Promise<void> {
  await untilFound(async () => (await condition()) || undefined, ms, String(condition));
}

/** The same until something is found, which is returned. */
export async function untilFound<T>(
  find: () => T | undefined | Promise<T | undefined>,
  ms = LONGEST_WAIT_MS,
  what = String(find),
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > ms) throw new Error(`condition not met in ${ms} ms: ${what}`);
    await sleep(waitedMs < 1_000 ? SHORTEST_PAUSE_MS : LONGEST_PAUSE_MS);
  }
}
