import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread alone: on Linux each thread has its own. Elsewhere nothing changes. It
 * keeps a tenth of a share, because with the lowest priority it starved on a busy machine.
 */
export function beNice(): void {
  try {
    const thread = /\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0];
    if (thread !== undefined) setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The thread simply keeps its normal priority.
  }
}
