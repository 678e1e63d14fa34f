import { readAnswerText } from '../platform/outbound/answer-text';
import type { OutboundClient, OutboundErrorCode, OutboundResult } from '../platform/outbound/types';
import { appText } from './reason-text';

/** An app's answer in its own words, to find out why a step failed. */
export interface HeardAnswer {
  /** Null if no status line arrived. */
  readonly status: number | null;
  /** Why there was no complete answer; null if there was one. */
  readonly error: OutboundErrorCode | null;
  /** The first 2,000 characters on one line, with secrets blacked out. */
  readonly body: string | null;
}

/** An HTTP client that remembers the last answer. */
export interface ListeningClient {
  readonly http: OutboundClient;
  /** Requests of `run` are sent only if `maySend` still returns true right before the first byte. */
  sendOnlyIf<T>(maySend: () => boolean, run: () => Promise<T>): Promise<T>;
  /** Null if no request was made. `secrets`: those of the request, which the answer may echo. */
  lastAnswer(secrets: readonly string[]): HeardAnswer | null;
}

const MAX_BODY_CHARACTERS = 2_000;

export function listenTo(http: OutboundClient): ListeningClient {
  let last: OutboundResult | null = null;
  let gate: { readonly maySend?: () => boolean } = {};
  return {
    http: {
      ...http,
      async request(request) {
        last = await http.request({ ...request, ...gate });
        return last;
      },
    },
    async sendOnlyIf(maySend, run) {
      gate = { maySend };
      try {
        return await run();
      } finally {
        gate = {};
      }
    },
    lastAnswer: (secrets) => last && toHeardAnswer(last, secrets),
  };
}

function toHeardAnswer(result: OutboundResult, secrets: readonly string[]): HeardAnswer {
  if (result.kind === 'failed') return { status: null, error: result.code, body: null };
  const body = appText(readAnswerText(result).text, secrets, MAX_BODY_CHARACTERS);
  return { status: result.status, error: result.broken?.code ?? null, body };
}
