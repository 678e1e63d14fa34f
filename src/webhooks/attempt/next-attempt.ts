/* When a failed attempt is repeated, by the setting WEBHOOK_RETRY_SCHEDULE (`settings.ts`), and when there are no more. */

/** ±20 %, so that receivers that failed together are not retried together. */
const JITTER = 0.2;
/** A receiver is retried within a day, however long its `Retry-After` is. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;

/** WEBHOOK_RETRY_SCHEDULE: delays in ms before the 2nd, 3rd, … attempt. The number of attempts is one more than the number of entries. */
export type RetryTable = readonly number[];

export interface FailedAttempt {
  /** Number of the attempt that has just failed, the first being 1. */
  readonly attemptNo: number;
  /** What the receiver's `Retry-After` asked for, in ms; null when that is absent or unreadable. */
  readonly retryAfterMs: number | null;
  /** In [0, 1), for the jitter; passed in, so that tests decide it. */
  readonly random: number;
}

export type NextAttempt =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' };

/**
 * When to try again: the table's delay ±20 %, or `Retry-After` if that is longer, up to 24 h. A receiver can lengthen
 * a delay but not shorten it: otherwise `Retry-After: 0` would disable the table.
 */
export function nextAttempt(table: RetryTable, failed: FailedAttempt): NextAttempt {
  const base = table[failed.attemptNo - 1];
  if (base === undefined) return { kind: 'exhausted' };
  const jittered = Math.round(base * (1 + JITTER * (2 * failed.random - 1)));
  const asked = Math.min(failed.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  return { kind: 'retry', delayMs: Math.max(jittered, asked) };
}
