import { readAnswerText } from '../../platform/outbound/answer-text';
import type { OutboundErrorCode, OutboundResult } from '../../platform/outbound/types';
import { cleanText } from '../../platform/text/clean-text';
import { redact } from '../../platform/text/redact';

/** The answer of a receiver: its text, or why it is missing. */
export type ReceiverAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The `Retry-After` field, unparsed. */
      readonly retryAfter: string | null;
      /** What came of the body. */
      readonly text: string;
      /** What of the request may not be shown, should the text repeat it. */
      readonly secrets: readonly string[];
      /** We stopped ourselves while the rest was coming. */
      readonly isInterrupted?: boolean;
    }
  | {
      readonly kind: 'unanswered';
      /** `timeout`: our deadline passed. `interrupted`: we stopped ourselves. `network`: anything else. */
      readonly cause: 'timeout' | 'interrupted' | 'network';
      /** Whether the last byte of the request was handed to the network. */
      readonly sent: boolean;
    };

/** At most this much of an answer is read: enough for any message, too little to hurt. */
export const RECEIVER_ANSWER_BYTES = 16_384;
/** How much of an answer is stored with an attempt, for later inspection. */
const EXCERPT_BYTES = 1_024;

/**
 * Reduces the network's result to what a verdict needs. `sent` says whether the client called `onSent`:
 * `OutboundResult.sent` is also true for a partly sent request.
 */
export function toReceiverAnswer(
  result: OutboundResult,
  sent: boolean,
  secrets: readonly string[],
): ReceiverAnswer {
  if (result.kind === 'failed') return { kind: 'unanswered', cause: causeOf(result.code), sent };
  return {
    kind: 'answered',
    status: result.status,
    retryAfter: result.headers['retry-after'] ?? null,
    text: readAnswerText(result).text,
    secrets,
    isInterrupted: result.broken?.code === 'aborted',
  };
}

function causeOf(
  code: OutboundErrorCode,
): Extract<ReceiverAnswer, { kind: 'unanswered' }>['cause'] {
  switch (code) {
    case 'aborted':
      return 'interrupted';
    case 'timeout':
      return 'timeout';
    case 'address_not_allowed':
    case 'dns_failed':
    case 'connect_refused':
    case 'connect_timeout':
    case 'connect_failed':
    case 'tls_failed':
    case 'reset':
    case 'closed_early':
    case 'invalid_response':
    case 'headers_too_large':
    case 'invalid_request':
      return 'network';
    default:
      return code satisfies never;
  }
}

/**
 * The first 1 KB of an answer's text, in UTF-8, without these secrets, as text that Postgres accepts: no NUL, no half
 * character at the cut.
 */
export function answerExcerpt(text: string, secrets: readonly string[]): string {
  // Before the cut, which could leave half of one.
  const shown = Buffer.from(redact(text, secrets)).subarray(0, EXCERPT_BYTES);
  // `stream` drops a character that the cut left incomplete.
  return new TextDecoder().decode(shown, { stream: true }).replaceAll('\0', '\uFFFD');
}

/** More than a person at a till will read. */
const LONGEST_MESSAGE = 500;

/**
 * The `message` of a receiver's JSON answer, a string or an array of strings, without secrets, cleaned and at most 500
 * characters; null if there is none. Blank counts as none: some frameworks answer `{"message":""}` for an unknown path.
 */
export function receiverMessage({
  text,
  secrets,
}: Pick<Extract<ReceiverAnswer, { kind: 'answered' }>, 'text' | 'secrets'>): string | null {
  const strings = messageStrings(parseJson(text)).map((each) => redact(each, secrets));
  const message = strings.map((each) => cleanText(each, LONGEST_MESSAGE)).join(' ');
  return cleanText(message, LONGEST_MESSAGE) || null;
}

function messageStrings(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, 'message')) return [];
  const { message } = answer as { readonly message: unknown };
  if (typeof message === 'string') return [message];
  // Only strings: an array of objects is another protocol's list of errors.
  return Array.isArray(message) && message.every((each) => typeof each === 'string') ? message : [];
}

function parseJson(text: string): unknown {
  try {
    // PHP files saved with a byte order mark put one in front of every answer.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
