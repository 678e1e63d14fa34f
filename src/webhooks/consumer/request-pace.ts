/**
 * When the requests to one receiver may start, spread evenly over time: as long as its consumer stays, which is 2 s
 * without anything to do, longer than any distance of two requests. All times are passed in, in ms by one monotonic clock.
 */
export interface Pace {
  /** Sets the rate per second from now on; null: no limit. */
  set(perSecond: number | null): void;
  /** How many may start now. */
  allowed(now: number): number;
  started(count: number, now: number): void;
  /** How long until the next one may start; 0: one may start now. */
  waitMs(now: number): number;
}

/** Delays of up to this much are caught up: timers are a few milliseconds late, and claims take some. */
const CATCH_UP_MS = 20;

export function createPace(): Pace {
  let interval = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    set(perSecond) {
      interval = perSecond === null ? 0 : 1_000 / perSecond;
    },
    allowed(now) {
      if (interval === 0) return Number.POSITIVE_INFINITY;
      return now < nextAt ? 0 : 1 + Math.floor(Math.min(now - nextAt, CATCH_UP_MS) / interval);
    },
    started(count, now) {
      if (count > 0) nextAt = Math.max(nextAt, now - CATCH_UP_MS) + count * interval;
    },
    waitMs: (now) => (interval === 0 ? 0 : Math.max(0, nextAt - now)),
  };
}
