import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from './client';
import type { Log } from '../observe/log';
import { createOutageLog } from '../observe/outage-log';

/**
 * The database's clock, ms since the epoch, advanced by ours: ours may be wrong, but hardly drifts within a few
 * seconds. Whatever is signed, leased or compared uses it, as processes may not agree with each other.
 */
export interface DatabaseClock {
  readonly now: () => number;
  /** Sets the time that the database has just reported. */
  set(databaseNow: number): void;
  /** Our own clock minus the database's, ms; null until that is known. */
  readonly skewMs: () => number | null;
}

/** Uses our clock until it is first set. `ownNow`: for tests. */
export function createDatabaseClock(ownNow = Date.now): DatabaseClock {
  let offset = ownNow() - performance.now();
  let isSet = false;
  const now = (): number => offset + performance.now();
  return {
    now,
    set(databaseNow) {
      offset = databaseNow - performance.now();
      isSet = true;
    },
    skewMs: () => (isSet ? ownNow() - now() : null),
  };
}

/** The same in whole seconds, as it is shown. */
export function skewSeconds(clock: Pick<DatabaseClock, 'skewMs'>): number | null {
  const ms = clock.skewMs();
  // Never -0, which is 0 in JSON and not in a test.
  return ms === null ? null : Math.round(ms / 1_000) + 0;
}

/** From here on a process says that its clock is wrong: receivers allow five minutes. */
const WRONG_MS = 30_000;
const EVERY_MS = 30_000;
const AGAIN_MS = 1_000;

export interface ClockDeps {
  readonly sql: Sql;
  readonly clock: DatabaseClock;
  readonly log: Log;
}

/** Keeps the clock of a process set, and logs once a minute while our own is wrong. */
export function followDatabaseClock({ sql, clock, log }: ClockDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const wrong = createOutageLog(log, {
    begun: 'the clock of this machine is wrong, or that of the database (clock_skew_seconds)',
    over: 'the clock of this machine agrees with the database again',
  });

  async function ask(): Promise<number> {
    try {
      const [row] = await sql<{ now: number }[]>`
        select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
      if (row) clock.set(row.now);
    } catch {
      return AGAIN_MS; // that Postgres is away is said elsewhere
    }
    const ms = clock.skewMs() ?? 0;
    if (Math.abs(ms) >= WRONG_MS) {
      wrong.failed(new Error(`clock_skew_seconds ${skewSeconds(clock)}`));
    } else wrong.over();
    return EVERY_MS;
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await ask();
      await delay(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const following = follow();
  return {
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
