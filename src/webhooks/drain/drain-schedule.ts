/** It also waits for a retry that comes this soon: the first two of the retry table. */
const RETRY_LINGER_MS = 7_000;
/** Longest sleep of a drain whose quiet time is over: whether it may end is looked at as often. */
const LONGEST_SLEEP_MS = 1_000;

export interface DrainScheduleOptions {
  readonly beganAt: number;
  /** How long a drain with nothing to send stays. */
  readonly lingerMs: number;
}

/** When a drain claims, sleeps and ends. All times in ms by one monotonic clock, handed in. */
export interface DrainSchedule {
  /** There may be something to claim. */
  expect(): void;
  /** Something will be due in `ms`. */
  expectIn(ms: number, now: number): void;
  /** A claim begins. */
  claiming(): void;
  /** There was something to do. */
  worked(now: number): void;
  isClaimTime(room: number, now: number): boolean;
  /** How long there is nothing to do unless something happens. */
  sleepMs(room: number, now: number): number;
  /** Whether it is time to go for a drain that has nothing out. */
  mayEnd(now: number): boolean;
  /** Whether something is there to be claimed that it was told of. */
  readonly expects: () => boolean;
}

export function createDrainSchedule({ beganAt, lingerMs }: DrainScheduleOptions): DrainSchedule {
  let mayHaveMore = true;
  let nextDueAt = Number.POSITIVE_INFINITY;
  let workedAt = beganAt;

  return {
    expect() {
      mayHaveMore = true;
    },
    expectIn(ms, now) {
      nextDueAt = Math.min(nextDueAt, now + ms);
    },
    claiming() {
      // Before the claim and not after it: what is announced while it is under way may have come too late for it.
      mayHaveMore = false;
      nextDueAt = Number.POSITIVE_INFINITY;
    },
    worked(now) {
      workedAt = now;
    },
    isClaimTime: (room, now) => room > 0 && (mayHaveMore || nextDueAt <= now),
    // Without room nothing that is due can be claimed: looking at it would be a loop without a pause.
    sleepMs(room, now) {
      if (room === 0) return LONGEST_SLEEP_MS;
      const quietMs = workedAt + lingerMs + 1 - now;
      return Math.max(1, Math.min(nextDueAt - now, quietMs > 0 ? quietMs : LONGEST_SLEEP_MS));
    },
    mayEnd: (now) => !mayHaveMore && now - workedAt > lingerMs && nextDueAt - now > RETRY_LINGER_MS,
    expects: () => mayHaveMore,
  };
}
