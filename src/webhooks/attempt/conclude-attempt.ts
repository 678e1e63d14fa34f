import type { ReceiverVerdict } from './judge-answer';
import { nextAttempt, type RetryTable } from './next-attempt';

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
    case 'retry':
      return afterFailure(verdict, { attemptNo, table, random });
    default:
      return verdict satisfies never;
  }
}

function afterFailure(
  verdict: Extract<ReceiverVerdict, { kind: 'retry' }>,
  { attemptNo, table, random }: ConcludedAttempt,
): AttemptConclusion {
  const { retryAfterMs, health, againMs } = verdict;
  const next = nextAttempt(table, { attemptNo, retryAfterMs, random });
  if (next.kind === 'retry') return { state: 'pending', delayMs: againMs ?? next.delayMs };
  // Its subscription is disabled with it, so it waits for whoever enables that.
  return health === 'gone'
    ? { state: 'pending', delayMs: table.at(-1) ?? 0 }
    : { state: 'exhausted' };
}

/**
 * When to try again if a resend came during the attempt, which is then the first one of a new retry table. Null: it
 * ends all the same.
 */
export function afterResendMs(
  verdict: ReceiverVerdict,
  { table, random }: Omit<ConcludedAttempt, 'attemptNo'>,
): number | null {
  const again = concludeAttempt(verdict, { attemptNo: 1, table, random });
  return again.state === 'pending' ? again.delayMs : null;
}
