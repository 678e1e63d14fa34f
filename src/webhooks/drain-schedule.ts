/** It also waits for a retry that comes this soon: the first two of the retry table. */
const RETRY_LINGER_MS = 7_000;
/** It looks for itself this often, should an announcement get lost. */
const POLL_MS = 1_000;
/** It renews its promise to look again even while it has no room to claim. */
const RENEW_MS = 5_000;
/**
 * After ten minutes it ends at the first moment with nothing out, after fifteen it sees to one. Not sooner: until the
 * next drain begins nobody claims, which is 30 ms, or seconds while Temporal is busy starting hundreds of others.
 */
const WISH_TO_END_MS = 600_000;
const MUST_END_MS = 900_000;

export interface DrainScheduleOptions {
  readonly beganAt: number;
  /** How long a drain with nothing to send stays, as things stand. */
  readonly lingerMs: () => number;
}

/** When a drain claims, sleeps and ends. All times in ms by one monotonic clock, handed in. */
export interface DrainSchedule {
  /** There may be something to claim. */
  expect(): void;
  /** Something will be due in `ms`. */
  expectIn(ms: number, now: number): void;
  /** A claim begins, for so many deliveries. */
  claiming(room: number, now: number): void;
  /** There was something to do. */
  worked(now: number): void;
  isClaimTime(room: number, now: number): boolean;
  /** How long there is nothing to do unless something happens. */
  sleepMs(room: number, now: number): number;
  /** Whether it is time to go for a drain that has nothing out. */
  mayEnd(now: number): boolean;
  /** Whether to claim nothing more, so that it comes to an end. */
  mustEnd(now: number): boolean;
}

export function createDrainSchedule({ beganAt, lingerMs }: DrainScheduleOptions): DrainSchedule {
  let mayHaveMore = true;
  let nextDueAt = Number.POSITIVE_INFINITY;
  let [claimedAt, workedAt] = [beganAt, beganAt];

  return {
    expect() {
      mayHaveMore = true;
    },
    expectIn(ms, now) {
      nextDueAt = Math.min(nextDueAt, now + ms);
    },
    claiming(room, now) {
      claimedAt = now;
      if (room === 0) return;
      // Before the claim and not after it: what is announced while it is under way may have come too late for it.
      mayHaveMore = false;
      nextDueAt = Number.POSITIVE_INFINITY;
    },
    worked(now) {
      workedAt = now;
    },
    isClaimTime(room, now) {
      if (room === 0) return now - claimedAt >= RENEW_MS;
      return mayHaveMore || nextDueAt <= now || now - claimedAt >= POLL_MS;
    },
    // Without room nothing that is due can be claimed: looking at it would be a loop without a pause.
    sleepMs: (room, now) =>
      room === 0 ? POLL_MS : Math.min(POLL_MS, Math.max(1, nextDueAt - now)),
    mayEnd(now) {
      if (now - beganAt > WISH_TO_END_MS) return true;
      return !mayHaveMore && now - workedAt > lingerMs() && nextDueAt - now > RETRY_LINGER_MS;
    },
    mustEnd: (now) => now - beganAt > MUST_END_MS,
  };
}
