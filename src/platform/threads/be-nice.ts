import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lets others go first that want the processor, for the calling thread alone: on Linux each thread has a number and a
 * priority of its own. Elsewhere nothing changes. A tenth of a share is left to it: with the lowest priority it starved on
 * a machine that others kept busy.
 */
export function beNice(): void {
  try {
    const thread = /\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without it the thread is as good as any other.
  }
}
