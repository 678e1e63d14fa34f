/** Counts failures per key in a sliding window. */
export interface AttemptLimiter {
  fail(key: string): AttemptCount;
}

export interface AttemptCount {
  /** Failures of the key within the window, `limit` at most. */
  readonly count: number;
  /** Null while within the limit, else ms until the window has room again. */
  readonly waitMs: number | null;
}

/** Beyond this the oldest keys are dropped, so that an attacker with many addresses cannot fill the memory. */
const MAX_KEYS = 10_000;

/** Refused failures are not counted, so that a client which keeps trying gets through again in time. */
export function createAttemptLimiter(
  limit: number,
  windowMs: number,
  now: () => number = Date.now,
): AttemptLimiter {
  const times = new Map<string, number[]>();
  return {
    fail(key) {
      const at = now();
      const recent = (times.get(key) ?? []).filter((time) => time > at - windowMs);
      const oldest = recent[0];
      if (oldest !== undefined && recent.length >= limit) {
        times.set(key, recent);
        return { count: limit, waitMs: Math.max(1, oldest + windowMs - at) };
      }
      recent.push(at);
      times.delete(key);
      times.set(key, recent);
      if (times.size > MAX_KEYS) {
        const [first] = times.keys();
        if (first !== undefined) times.delete(first);
      }
      return { count: recent.length, waitMs: null };
    },
  };
}
