/** A consumer also waits for a retry that is due this soon: the first two of the retry table. */
export const RETRY_LINGER_MS = 7_000;
/** Longest sleep of a consumer whose linger time is over, so it checks this often whether it may end. */
const LONGEST_SLEEP_MS = 1_000;

export interface ClaimScheduleOptions {
  readonly beganAt: number;
  /** How long a consumer stays when it has nothing to send. */
  readonly lingerMs: number;
}

/** When a consumer claims, sleeps and ends. All times are passed in, in ms by one monotonic clock. */
export interface ClaimSchedule {
  /** There may be more deliveries to claim. */
  expectMore(): void;
  /** A delivery will be due in `ms`. */
  expectIn(ms: number, now: number): void;
  claimBegins(): void;
  /** The consumer had something to do. */
  worked(now: number): void;
  isClaimTime(permits: number, now: number): boolean;
  /** How long there is nothing to do, unless something happens. */
  sleepMs(permits: number, now: number): number;
  /** Whether a consumer with nothing in flight may end now. */
  mayEnd(now: number): boolean;
  /** Whether the consumer has been told of deliveries that it has not claimed yet. */
  readonly expects: () => boolean;
}

export function createClaimSchedule(options: ClaimScheduleOptions): ClaimSchedule {
  const { beganAt, lingerMs } = options;
  // What woke the consumer may be waiting.
  let expects = true;
  let nextDueAt = Number.POSITIVE_INFINITY;
  let workedAt = beganAt;

  return {
    expectMore() {
      expects = true;
    },
    expectIn(ms, now) {
      nextDueAt = Math.min(nextDueAt, now + ms);
    },
    claimBegins() {
      // Reset before the claim, not after it: an announcement during the claim may be too late for it.
      expects = false;
      nextDueAt = Number.POSITIVE_INFINITY;
    },
    worked(now) {
      workedAt = now;
    },
    isClaimTime: (permits, now) => permits > 0 && (expects || nextDueAt <= now),
    // Without permits, nothing due can be claimed, and checking for it would be a busy loop.
    sleepMs(permits, now) {
      if (permits === 0) return LONGEST_SLEEP_MS;
      const quietMs = workedAt + lingerMs + 1 - now;
      return Math.max(1, Math.min(nextDueAt - now, quietMs > 0 ? quietMs : LONGEST_SLEEP_MS));
    },
    mayEnd: (now) => !expects && now - workedAt > lingerMs && nextDueAt - now > RETRY_LINGER_MS,
    expects: () => expects,
  };
}
