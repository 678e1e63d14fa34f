import { readAnswerText } from '../platform/outbound/answer-text';
import { parseRetryAfter } from '../platform/outbound/retry-after';
import type { OutboundErrorCode, OutboundResult } from '../platform/outbound/types';
import { reasonText } from './reason-text';
import type { CommonOutcome, TokenResult } from './app-client';

/** An answer with a 2xx status. */
interface Success {
  readonly status: number;
  readonly text: string;
  /** Longer than the limit, or broken off; `text` is its beginning and not valid JSON. */
  readonly truncated: boolean;
}

export interface Reading {
  /** ms since epoch, for a Retry-After that is a date. */
  readonly now: number;
  /** Tokens and secrets of the request, which are removed from every reason. */
  readonly secrets: readonly string[];
}

/** How to read an app's answers, where apps differ. */
export interface AnswerReader<T> extends Reading {
  /** undefined = unreadable: the app may have acted, so the outcome is `unknown`. */
  readonly success: (answer: Success) => T | undefined;
  /** The app's own reasons in the body of a refusal; empty = only the status is known. */
  readonly reasons: (text: string) => readonly string[];
}

/** A longer `Retry-After` is capped, because the upload would end before it. */
const MAX_RETRY_AFTER_MS = 86_400_000;
const TOO_MANY_REQUESTS = 429;
/** More reasons than this are not useful. */
const MAX_REASONS = 50;

/**
 * Turns an answer, or its absence, into one outcome: the app's reader handles 2xx, 401 is `token_expired`, 408, 425,
 * 429 and 5xx are `retry`, every other status is `rejected` (including redirects, which are never followed and which
 * a repeat would not change). These statuses decide, even if the rest of the answer broke off; a 2xx is `unknown` then.
 * Without an answer: `retry` if certainly nothing was sent, otherwise `unknown`.
 */
export function toOutcome<T>(result: OutboundResult, reader: AnswerReader<T>): T | CommonOutcome {
  if (result.kind === 'failed') return withoutAnswer(result);
  const { status } = result;
  const { text } = readAnswerText(result);
  if (status >= 200 && status < 300) {
    // What the app did is read back, or sent again: a proxy says 200 too, and an app that dies in its answer may not have
    // kept the menu.
    if (result.broken) return { kind: 'unknown', reason: result.broken.code };
    const read = reader.success({ status, text, truncated: result.truncated });
    return read ?? unreadable(status);
  }
  if (isRefusal(result)) {
    return { kind: 'rejected', reasons: refusalReasons(status, reader.reasons(text), reader) };
  }
  return status === 401 ? { kind: 'token_expired' } : retryLater(result, reader.now);
}

/**
 * The same for a token call: a refusal means that the credential is wrong, and everything unclear is retried. The
 * app's reader handles 2xx; most return a `TokenResult`.
 */
export function toTokenResult<T = TokenResult>(
  result: OutboundResult,
  reader: Reading & {
    readonly success: (text: string) => T | undefined;
    readonly reasons: (text: string) => readonly string[];
  },
): T | TokenResult {
  const outcome = toOutcome<{ readonly kind: 'read'; readonly answer: T }>(result, {
    ...reader,
    success({ text }) {
      const answer = reader.success(text);
      return answer && { kind: 'read', answer };
    },
  });
  if (outcome.kind === 'read') return outcome.answer;
  if (outcome.kind === 'rejected') return { kind: 'refused', reason: outcome.reasons.join(' ') };
  if (outcome.kind === 'unknown') return { kind: 'retry', reason: outcome.reason };
  if (outcome.kind === 'retry') {
    // Whatever it is, the token is waited for.
    const { waits: _waits, ...retry } = outcome;
    return retry;
  }
  if (outcome.kind !== 'token_expired') return outcome;
  const text = result.kind === 'response' ? readAnswerText(result).text : '';
  const reasons = refusalReasons(401, reader.reasons(text), reader);
  return { kind: 'refused', reason: reasons.join(' ') };
}

/** Whether the app has refused the call, and may say why in its answer. */
export function isRefusal(
  result: OutboundResult,
): result is Extract<OutboundResult, { kind: 'response' }> {
  if (result.kind === 'failed') return false;
  const { status } = result;
  return (status < 200 || status >= 300) && status !== 401 && !isTemporary(status);
}

/** The bytes of an answer; empty without one. */
export function bodyOf(result: OutboundResult): Buffer {
  return result.kind === 'response' ? result.body : Buffer.alloc(0);
}

/** The outcome of a success that cannot be read: the app may have acted. */
export function unreadable(status: number): Extract<CommonOutcome, { kind: 'unknown' }> {
  return { kind: 'unknown', reason: `unreadable answer with status ${status}` };
}

function isTemporary(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function withoutAnswer(result: Extract<OutboundResult, { kind: 'failed' }>): CommonOutcome {
  // Tried again like an app that is away; but it was not asked, and is not to blame.
  if (result.ours !== undefined) {
    return { kind: 'retry', reason: `our_side (${result.ours})`, waits: 'our_side' };
  }
  if (isMisconfiguration(result.code)) return { kind: 'rejected', reasons: [result.code] };
  // Only the code: the message is for the operator and may name addresses.
  return { kind: result.sent === 'none' ? 'retry' : 'unknown', reason: result.code };
}

/** Our own settings are wrong: the app was not asked, and a retry would not ask it either. */
function isMisconfiguration(code: OutboundErrorCode): boolean {
  return code === 'address_not_allowed' || code === 'invalid_request';
}

function retryLater(
  result: Extract<OutboundResult, { kind: 'response' }>,
  now: number,
): CommonOutcome {
  const { status } = result;
  const retry = {
    kind: 'retry',
    reason: `status ${status}`,
    ...(status === TOO_MANY_REQUESTS && { waits: 'app_busy' as const }),
  } as const;
  const header = result.headers['retry-after'];
  const afterMs = header === undefined ? undefined : parseRetryAfter(header, now);
  if (afterMs === undefined) return retry;
  return { ...retry, afterMs: Math.min(afterMs, MAX_RETRY_AFTER_MS) };
}

function refusalReasons(status: number, reasons: readonly string[], reading: Reading): string[] {
  const texts = reasons
    .slice(0, MAX_REASONS)
    .map((reason) => reasonText(reason, reading.secrets))
    .filter((reason) => reason !== '');
  return texts.length > 0 ? texts : [`status ${status}`];
}

/** An answer as text, without the byte order mark that some servers begin it with and `JSON.parse` refuses. */
export function answerText(body: Buffer): string {
  return body.toString('utf8').replace(/^\uFEFF/, '');
}

/** The value of a JSON text, or undefined: an app's answer may not be JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
