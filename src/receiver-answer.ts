import type { ReceiverAnswer } from './domain/receiver-verdict';
import type { OutboundErrorCode, OutboundResult } from './outbound/types';

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
