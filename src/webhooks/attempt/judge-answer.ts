import type { EndedAttempt } from './circuit-breaker';
import { type ReceiverAnswer, receiverMessage } from './read-answer';
import { parseRetryAfter } from '../../platform/outbound/retry-after';

interface Retry {
  readonly kind: 'retry';
  readonly status: number | null;
  /** The receiver's message, cleaned, shown with the pending delivery. */
  readonly message: string | null;
  readonly retryAfterMs: number | null;
}

/** Our process is stopping: not the receiver's fault, and no attempt is used up. */
interface Interrupted {
  readonly kind: 'interrupted';
}

/** Type 1, item data: no caller waits for the answer, so a status is enough. */
export type ItemDataVerdict =
  | {
      readonly kind: 'delivered';
      /** Null: sent, but no status arrived in time. */
      readonly status: number | null;
      /** 410: the subscription must be disabled. */
      readonly gone: boolean;
    }
  | Retry
  | Interrupted;

/** Type 2, stock updates: a POS user waits for the answer. */
export type StockVerdict =
  | { readonly kind: 'acknowledged'; readonly status: 204 }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** Cleaned, so it can be shown to the POS user. */
      readonly message: string;
      readonly gone: boolean;
    }
  | Retry
  | Interrupted;

/** An event for the platform: any 2xx is enough. */
export type PlatformEventVerdict =
  | { readonly kind: 'delivered'; readonly status: number; readonly gone: false }
  /** 410: the receiver wants no more events, and the subscription must be disabled. */
  | {
      readonly kind: 'refused';
      readonly status: typeof GONE;
      /** Cleaned. */
      readonly message: string | null;
      readonly gone: true;
    }
  | Retry
  | Interrupted;

export type ReceiverVerdict = ItemDataVerdict | StockVerdict | PlatformEventVerdict;

const NO_CONTENT = 204;
const GONE = 410;
/** Shown when a receiver refuses without a message. */
export const REFUSED_WITHOUT_WORDS = 'The inventory system refused the stock update.';

/** Statuses that concern the moment rather than the message: timeout, too early, too many, server errors. */
function isTransient(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The meaning of an answer to a type 1 webhook. `now` in ms since the epoch, for a `Retry-After` date. */
export function judgeItemData(answer: ReceiverAnswer, now: number): ItemDataVerdict {
  // Only the status line counts, so a body that never ended makes no difference.
  if (answer.status !== null && !isTransient(answer.status)) {
    return { kind: 'delivered', status: answer.status, gone: answer.status === GONE };
  }
  if (answer.kind === 'answered') return retryAfterAnswer(answer, now);
  switch (answer.cause) {
    case 'interrupted':
      return { kind: 'interrupted' };
    case 'timeout':
      // Long response times are expected here: a request sent in full counts as delivered even without an answer.
      return answer.sent && answer.status === null
        ? { kind: 'delivered', status: null, gone: false }
        : retryUnanswered(answer.status);
    case 'network':
      return retryUnanswered(answer.status);
    default:
      return answer.cause satisfies never;
  }
}

/** The meaning of an answer to a type 2 webhook. `now` in ms since the epoch, for a `Retry-After` date. */
export function judgeStock(answer: ReceiverAnswer, now: number): StockVerdict {
  if (answer.kind === 'unanswered') {
    return answer.cause === 'interrupted'
      ? { kind: 'interrupted' }
      : retryUnanswered(answer.status);
  }
  const { status } = answer;
  if (status === NO_CONTENT) return { kind: 'acknowledged', status };
  if (status === GONE) {
    const message = receiverMessage(answer) ?? REFUSED_WITHOUT_WORDS;
    return { kind: 'refused', status, message, gone: true };
  }
  const retry = retryAfterAnswer(answer, now);
  // A 4xx without a message may come from a wrong URL or a proxy, so it is not taken as a refusal.
  const refuses = status >= 400 && !isTransient(status) && retry.message !== null;
  return refuses ? { kind: 'refused', status, message: retry.message, gone: false } : retry;
}

/** The meaning of an answer to an event. `now` in ms since the epoch, for a `Retry-After` date. */
export function judgePlatformEvent(answer: ReceiverAnswer, now: number): PlatformEventVerdict {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) {
    return { kind: 'delivered', status, gone: false };
  }
  if (status === GONE) {
    const message = answer.kind === 'answered' ? receiverMessage(answer) : null;
    return { kind: 'refused', status, message, gone: true };
  }
  if (answer.kind === 'answered') return retryAfterAnswer(answer, now);
  return answer.cause === 'interrupted' ? { kind: 'interrupted' } : retryUnanswered(status);
}

/**
 * What the verdict says about the receiver's health; null = nothing. A refusal is an answer, so the receiver is
 * healthy.
 */
export function healthSignal(verdict: ReceiverVerdict): EndedAttempt['result'] | null {
  switch (verdict.kind) {
    case 'acknowledged':
      return 'success';
    case 'delivered':
    case 'refused':
      return verdict.gone ? 'gone' : 'success';
    case 'retry':
      return 'failure';
    case 'interrupted':
      return null;
    default:
      return verdict satisfies never;
  }
}

/** Whether the receiver works, and asked to be left alone for a while. */
export function isBusy(verdict: ReceiverVerdict): boolean {
  return (
    verdict.kind === 'retry' &&
    verdict.retryAfterMs !== null &&
    (verdict.status === 429 || verdict.status === 503)
  );
}

function retryAfterAnswer(
  answer: Extract<ReceiverAnswer, { kind: 'answered' }>,
  now: number,
): Retry {
  const retryAfterMs = parseRetryAfter(answer.retryAfter ?? '', now) ?? null;
  return {
    kind: 'retry',
    status: answer.status,
    message: receiverMessage(answer),
    retryAfterMs,
  };
}

function retryUnanswered(status: number | null): Retry {
  return { kind: 'retry', status, message: null, retryAfterMs: null };
}
