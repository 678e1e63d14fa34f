import type { EndedAttempt } from './circuit-breaker';
import { type ReceiverAnswer, receiverMessage } from './read-answer';
import { parseRetryAfter } from '../../platform/outbound/retry-after';

interface Retry {
  readonly kind: 'retry';
  readonly status: number | null;
  /** The receiver's message, cleaned, shown with the pending delivery. */
  readonly message: string | null;
  readonly retryAfterMs: number | null;
  /** What it says about the receiver; null = nothing. `gone`: the delivery waits until the subscription is enabled. */
  readonly health: 'failure' | 'gone' | null;
  /** Tried again after so many ms instead of the table's delay. */
  readonly againMs?: number;
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
  | { readonly kind: 'delivered'; readonly status: number }
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

/** What the receiver answered to the attempt before, as stored. */
export interface AnswerBefore {
  readonly status: number | null;
  readonly message: string | null;
}

const NO_CONTENT = 204;
const NOT_FOUND = 404;
const GONE = 410;
/** Shown when a receiver refuses without a message. */
export const REFUSED_WITHOUT_WORDS = 'The inventory system refused the stock update.';
/** A router that is being restarted does not know its routes for a moment. */
const SECOND_TRY_MS = 1_000;

/**
 * By these a gateway or a framework answers, and no inventory system: the credentials or the signature, the method, the
 * form or the size are not to its liking, or the moment is not. Somebody mends that, so the message is tried again.
 */
const OF_A_GATEWAY = new Set([
  401, 403, 405, 406, 407, 408, 411, 413, 414, 415, 417, 419, 421, 425, 426, 429, 431,
]);
/** Of these, those about the size of one message, which must not pause all others. */
const OF_ONE_MESSAGE = new Set([413, 414, 431]);

/** Whether a status may be the receiver's own decision about the message: its words then say what it means. */
export function isDecision(status: number): boolean {
  return status >= 400 && status < 500 && !OF_A_GATEWAY.has(status);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The meaning of an answer to a type 1 webhook. `now` in ms since the epoch, for a `Retry-After` date. */
export function judgeItemData(answer: ReceiverAnswer, now: number): ItemDataVerdict {
  if (answer.kind === 'answered') {
    const { status } = answer;
    const isTaken = isDecision(status) && status !== NOT_FOUND && status !== GONE;
    if (isSuccess(status) || isTaken) return { kind: 'delivered', status };
    const retry = retryAfterAnswer(answer, now);
    return status === GONE ? { ...retry, health: 'gone' } : retry;
  }
  switch (answer.cause) {
    case 'interrupted':
      return { kind: 'interrupted' };
    case 'timeout':
      // Long response times are expected here: a request sent in full counts as delivered even without an answer.
      return answer.sent ? { kind: 'delivered', status: null } : UNANSWERED;
    case 'network':
      return UNANSWERED;
    default:
      return answer.cause satisfies never;
  }
}

/**
 * The meaning of an answer to a type 2 webhook. `now` in ms since the epoch, for a `Retry-After` date. `before`: the
 * answer to the last attempt since the delivery was made or resent, if there was one.
 */
export function judgeStock(
  answer: ReceiverAnswer,
  now: number,
  before: AnswerBefore | null = null,
): StockVerdict {
  if (answer.kind === 'unanswered') return withoutStatus(answer);
  const { status } = answer;
  if (status === NO_CONTENT) return { kind: 'acknowledged', status };
  if (status === GONE) {
    const message = receiverMessage(answer) ?? REFUSED_WITHOUT_WORDS;
    return { kind: 'refused', status, message, gone: true };
  }
  const retry = retryAfterAnswer(answer, now);
  const { message } = retry;
  if (!isDecision(status)) return retry;
  // A 4xx without a message may come from a wrong URL or a proxy, so it is not taken as a refusal.
  if (message === null) return answer.isInterrupted ? { kind: 'interrupted' } : retry;
  if (status !== NOT_FOUND || isSame(before, { status, message })) {
    return { kind: 'refused', status, message, gone: false };
  }
  // One second try, and after that the table: a receiver may never say the same twice.
  if (before?.status === NOT_FOUND && before.message !== null) return retry;
  return { ...retry, health: null, againMs: SECOND_TRY_MS };
}

/** What the answer to a type 2 webhook lacks that would have settled it, in words; null if it is no answer of that kind. */
export function whyStockIsUnsettled(verdict: ReceiverVerdict): string | null {
  if (verdict.kind !== 'retry' || verdict.status === null) return null;
  const { status, message } = verdict;
  if (isSuccess(status)) return 'only 204 acknowledges a stock movement';
  return isDecision(status) && message === null ? 'a refusal needs a message in JSON' : null;
}

function isSame(one: AnswerBefore | null, other: AnswerBefore): boolean {
  return one?.status === other.status && one.message === other.message;
}

/** The meaning of an answer to an event. `now` in ms since the epoch, for a `Retry-After` date. */
export function judgePlatformEvent(answer: ReceiverAnswer, now: number): PlatformEventVerdict {
  if (answer.kind === 'unanswered') return withoutStatus(answer);
  const { status } = answer;
  if (isSuccess(status)) return { kind: 'delivered', status };
  if (status === GONE) {
    return { kind: 'refused', status, message: receiverMessage(answer), gone: true };
  }
  return retryAfterAnswer(answer, now);
}

/**
 * What the verdict says about the receiver's health; null = nothing. A refusal is an answer, so the receiver is
 * healthy.
 */
export function healthSignal(verdict: ReceiverVerdict): EndedAttempt['result'] | null {
  switch (verdict.kind) {
    case 'acknowledged':
    case 'delivered':
      return 'success';
    case 'refused':
      return verdict.gone ? 'gone' : 'success';
    case 'retry':
      return verdict.health;
    case 'interrupted':
      return null;
    default:
      return verdict satisfies never;
  }
}

/** For how long, in ms, the receiver asked to be left alone: `Retry-After` of a 429 or 503. Null: it did not. */
export function askedMs(verdict: ReceiverVerdict): number | null {
  if (verdict.kind !== 'retry') return null;
  return verdict.status === 429 || verdict.status === 503 ? verdict.retryAfterMs : null;
}

function retryAfterAnswer(
  answer: Extract<ReceiverAnswer, { kind: 'answered' }>,
  now: number,
): Retry {
  const { status } = answer;
  const retryAfterMs = parseRetryAfter(answer.retryAfter ?? '', now) ?? null;
  const health = OF_ONE_MESSAGE.has(status) ? null : 'failure';
  return { kind: 'retry', status, message: receiverMessage(answer), retryAfterMs, health };
}

const UNANSWERED: Retry = {
  kind: 'retry',
  status: null,
  message: null,
  retryAfterMs: null,
  health: 'failure',
};

function withoutStatus({
  cause,
}: Extract<ReceiverAnswer, { kind: 'unanswered' }>): Retry | Interrupted {
  return cause === 'interrupted' ? { kind: 'interrupted' } : UNANSWERED;
}
