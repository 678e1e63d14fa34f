import { performance } from 'node:perf_hooks';

/**
 * The database's clock, ms since the epoch, advanced by ours: ours may be wrong, but hardly drifts within a few
 * seconds.
 */
export interface DatabaseClock {
  readonly now: () => number;
  /** Sets the time that the database has just reported. */
  set(databaseNow: number): void;
}

/** Uses our clock until it is first set. */
export function createDatabaseClock(): DatabaseClock {
  let offset = Date.now() - performance.now();
  return {
    now: () => offset + performance.now(),
    set(databaseNow) {
      offset = databaseNow - performance.now();
    },
  };
}
