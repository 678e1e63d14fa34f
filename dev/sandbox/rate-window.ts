import type { AppAnswer } from './app-simulator';

/** Counts the calls of each store in a sliding window. */
export interface RateWindow {
  /** 0 = the call is taken and counted; else how long the caller is to stay away, ms. */
  take(storeId: string): number;
}

export function createRateWindow(
  clock: () => number,
  { calls, windowMs }: { readonly calls: number; readonly windowMs: number },
): RateWindow {
  const taken = new Map<string, number[]>();
  return {
    take(storeId) {
      const now = clock();
      const recent = (taken.get(storeId) ?? []).filter((at) => at > now - windowMs);
      taken.set(storeId, recent);
      const [oldest] = recent;
      if (recent.length >= calls && oldest !== undefined) return oldest + windowMs - now;
      recent.push(now);
      return 0;
    },
  };
}

/** The answer to a call over the rate, which says how long to stay away. */
export function withRetryAfter(answer: AppAnswer, waitMs: number): AppAnswer {
  return { ...answer, headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } };
}
