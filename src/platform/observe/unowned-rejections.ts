import type { Log } from './log';

let count = 0;

/** How many rejections no part of this process has caught since it started. Each is a defect. */
export function countUnownedRejections(): number {
  return count;
}

/**
 * The last net: a rejection without an owner is logged and counted, and the process goes on. What was under way is rows
 * in Postgres and workflows in Temporal, which outlive any defect; a process that ends takes all others' work with it.
 * An exception that is thrown outside of promises still ends it, since the state of what threw is not known.
 */
export function catchUnownedRejections(log: Log): void {
  process.on('unhandledRejection', (reason: unknown) => {
    count += 1;
    log.error({ err: reason }, 'a promise without an owner was rejected');
  });
}
