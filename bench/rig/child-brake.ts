import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Lets a process run for a share of the time only, as if its core were slower: `<pid> <share>`. Ends with its parent;
 * the process then runs freely again.
 */

/** Short against every patience of the service, long against the precision of a timer. */
const PERIOD_MS = 40;

async function main(): Promise<void> {
  const [pid, share] = process.argv.slice(2).map(Number);
  if (!pid || !share || !(share > 0 && share < 1)) throw new Error('takes <pid> <share below 1>');
  const over = new AbortController();
  process.on('disconnect', () => over.abort());
  process.on('SIGTERM', () => over.abort());
  // Of the time that has passed rather than of each period, since timers are late.
  let [ran, passedFrom] = [0, performance.now()];
  while (!over.signal.aborted) {
    const from = performance.now();
    process.kill(pid, 'SIGCONT');
    await sleep(PERIOD_MS * share);
    process.kill(pid, 'SIGSTOP');
    ran += performance.now() - from;
    await sleep(Math.max(1, ran / share - (performance.now() - passedFrom)));
    if (performance.now() - passedFrom > 2_000) [ran, passedFrom] = [0, performance.now()];
  }
  process.kill(pid, 'SIGCONT');
}

void main();
