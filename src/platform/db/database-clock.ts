import { performance } from 'node:perf_hooks';

/** The database's clock, ms since the epoch, carried on by ours: ours may be wrong, but not by much in a few seconds. */
export interface DatabaseClock {
  readonly now: () => number;
  /** The database has just said what time it is. */
  set(databaseNow: number): void;
}

/** Ours until it is set for the first time. */
export function createDatabaseClock(): DatabaseClock {
  let offset = Date.now() - performance.now();
  return {
    now: () => offset + performance.now(),
    set(databaseNow) {
      offset = databaseNow - performance.now();
    },
  };
}
