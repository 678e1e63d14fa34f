import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An open loop: calls `send` `rate` times a second for `seconds`, whether or not the calls before have ended, and
 * resolves with all results. `nth` counts the calls from 0. A call that comes late does not move those behind it.
 */
export async function atRate<Result>(
  rate: number,
  seconds: number,
  send: (nth: number) => Promise<Result>,
): Promise<Result[]> {
  const sent: Promise<Result>[] = [];
  const startedAt = performance.now();
  for (let nth = 0; nth < rate * seconds; nth += 1) {
    const wait = startedAt + (nth * 1_000) / rate - performance.now();
    if (wait > 0) await sleep(wait);
    sent.push(send(nth));
  }
  return Promise.all(sent);
}
