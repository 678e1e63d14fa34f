import type { OutboundErrorCode, OutboundResult } from '../../platform/outbound/types';
import { cleanText } from '../../platform/text/clean-text';

/** What came back from a receiver, as far as its meaning goes: the answer's text, or why there is none. */
export type ReceiverAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The `Retry-After` field as it stands. */
      readonly retryAfter: string | null;
      /** The body as text; empty when it was longer than is read, as half a JSON document says nothing. */
      readonly text: string;
    }
  | {
      readonly kind: 'unanswered';
      /** `timeout`: ours ran out. `interrupted`: we stopped ourselves. `network`: anything else. */
      readonly cause: 'timeout' | 'interrupted' | 'network';
      /** Whether the last byte of the request was handed to the network. */
      readonly sent: boolean;
      /** The status line, when that much arrived before it broke off. */
      readonly status: number | null;
    };

/** An answer is read up to here: enough for any message, too little to hurt. */
export const RECEIVER_ANSWER_BYTES = 16_384;
/** What an attempt keeps of the answer, for whoever looks into it later. */
const EXCERPT_BYTES = 1_024;

/**
 * What the network reported, reduced to what a verdict needs.
 * `sent` is whether the client's `onSent` was called: `OutboundResult.sent` cannot tell a part from the whole.
 */
export function toReceiverAnswer(result: OutboundResult, sent: boolean): ReceiverAnswer {
  if (result.kind === 'response') {
    return {
      kind: 'answered',
      status: result.status,
      retryAfter: result.headers['retry-after'] ?? null,
      text: result.truncated ? '' : result.body.toString('utf8'),
    };
  }
  return {
    kind: 'unanswered',
    cause: causeOf(result.code),
    sent,
    status: result.status ?? null,
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

/** The first 1 KB of an answer as text that Postgres takes: no NUL, no half character at the cut. */
export function answerExcerpt(body: Buffer): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // `stream` withholds a character of which the cut left only the first bytes.
  return decoder
    .decode(body.subarray(0, EXCERPT_BYTES), { stream: true })
    .replaceAll('\0', '\uFFFD');
}

/** More than a person at a till will read. */
const LONGEST_MESSAGE = 500;

/**
 * The `message` of a receiver's JSON answer, a string or an array of strings, cleaned and at most 500 characters;
 * null when there is none. Blank counts as none: `{"message":""}` is what frameworks answer for an unknown path.
 */
export function receiverMessage(text: string): string | null {
  const strings = messageStrings(parseJson(text));
  const message = strings.map((each) => cleanText(each, LONGEST_MESSAGE)).join(' ');
  return cleanText(message, LONGEST_MESSAGE) || null;
}

function messageStrings(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, 'message')) return [];
  const { message } = answer as { readonly message: unknown };
  if (typeof message === 'string') return [message];
  // All strings or nothing: an array of objects is some other protocol's list of errors.
  return Array.isArray(message) && message.every((each) => typeof each === 'string') ? message : [];
}

function parseJson(text: string): unknown {
  try {
    // PHP files saved with a byte order mark put one in front of everything that they answer.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
}
