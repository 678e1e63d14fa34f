import type { ReceiverVerdict } from './judge-answer';

/** ±20 %, so that receivers that failed together are not retried together. */
const JITTER = 0.2;
/** A receiver is retried within a day, however long its `Retry-After` is. */
const LONGEST_RETRY_AFTER_MS = 86_400_000;

/** Delays in ms before the 2nd, 3rd, … attempt; the number of attempts is one more than the number of entries. */
export type RetryTable = readonly number[];

export interface FailedAttempt {
  /** Number of the attempt that has just failed, the first being 1. */
  readonly attemptNo: number;
  /** What the receiver's `Retry-After` asked for, in ms; null when it asked for nothing readable. */
  readonly retryAfterMs: number | null;
  /** In [0, 1); passed in, because workflow code must not call a random generator. */
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

/** What an attempt means for its delivery. */
export type AttemptConclusion =
  | { readonly state: 'delivered' | 'acknowledged' | 'refused' | 'exhausted' }
  /** Retried after `delayMs`. */
  | { readonly state: 'pending'; readonly delayMs: number }
  /** Not counted as an attempt: we stopped ourselves, and the delivery is as it was before. */
  | { readonly state: 'released' };

export interface ConcludedAttempt {
  /** Number within the retry budget, from 1: a resend starts a new one. */
  readonly attemptNo: number;
  readonly table: RetryTable;
  /** In [0, 1), for the jitter. */
  readonly random: number;
}

/** Decides whether a delivery is finished after this attempt, and if not, when to try again. */
export function concludeAttempt(
  verdict: ReceiverVerdict,
  { attemptNo, table, random }: ConcludedAttempt,
): AttemptConclusion {
  switch (verdict.kind) {
    case 'delivered':
    case 'acknowledged':
    case 'refused':
      return { state: verdict.kind };
    case 'interrupted':
      return { state: 'released' };
    case 'retry': {
      const { retryAfterMs } = verdict;
      const next = nextAttempt(table, { attemptNo, retryAfterMs, random });
      return next.kind === 'exhausted'
        ? { state: 'exhausted' }
        : { state: 'pending', delayMs: next.delayMs };
    }
    default:
      return verdict satisfies never;
  }
}
