import { isNativeError } from 'node:util/types';
import { errors } from 'undici';
import type { OutboundErrorCode } from './types';

/** A connection that could not be made; keeps its classification when undici passes it on. */
export class ConnectFailure extends Error {
  readonly outboundCode: OutboundErrorCode;
  /** A system or TLS code such as `ECONNREFUSED`. */
  readonly detail: string;
  // Must not be one of undici's own codes: it retries UND_ERR_SOCKET and UND_ERR_INFO by itself.
  readonly code = 'ERR_OUTBOUND_CONNECT';

  constructor(outboundCode: OutboundErrorCode, detail: string) {
    super(`${outboundCode} ${detail}`.trimEnd());
    this.name = 'ConnectFailure';
    this.outboundCode = outboundCode;
    this.detail = detail;
  }
}

/** What went wrong and its short technical name, from whatever undici or Node threw. */
export interface Failure {
  readonly code: OutboundErrorCode;
  readonly detail: string;
}

const SENTENCES: Readonly<Record<OutboundErrorCode, string>> = {
  address_not_allowed: 'the address is not allowed',
  dns_failed: 'the host name could not be resolved',
  connect_refused: 'the connection was refused',
  connect_timeout: 'no connection in time',
  connect_failed: 'the connection could not be made',
  tls_failed: 'TLS failed',
  reset: 'the connection was reset',
  closed_early: 'the connection was closed before the answer was complete',
  timeout: 'no complete answer in time',
  invalid_response: 'the answer is not HTTP/1.1',
  headers_too_large: 'the answer has too many header bytes',
  aborted: 'the request was given up',
  invalid_request: 'the request cannot be sent',
};

/**
 * One line for logs and operators. Contains only our own words, the host and a code: messages of libraries may quote
 * the URL, and URLs contain secrets (App C's token call has its secret in the query string).
 */
export function describeFailure({ code, detail }: Failure, host: string): string {
  return [`${host}: ${SENTENCES[code]}`, detail && `(${detail})`].filter(Boolean).join(' ');
}

/** Classifies an error that came after the connection was made, or from undici itself. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof ConnectFailure) return { code: error.outboundCode, detail: error.detail };
  const code = codeForDetail(codeOf(error), error);
  return { code, detail: code === 'invalid_response' ? messageOf(error) : codeOf(error) };
}

/** The `code` of a Node error; for several addresses tried in a row, that of the first. Empty when there is none. */
export function codeOf(error: unknown): string {
  // isNativeError, as `instanceof` is false for errors from another realm (a vm context, such as a test runner's).
  return isNativeError(error) && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

function codeForDetail(detail: string, error: unknown): OutboundErrorCode {
  switch (detail) {
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ETIMEDOUT':
      return 'reset';
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'headers_too_large';
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
    case 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH':
      return 'invalid_request';
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'closed_early';
    case 'UND_ERR_SOCKET':
      // undici uses one code for an end of stream and for answers that it rejects (101, or too many interim answers).
      return messageOf(error).startsWith('bad ') ? 'invalid_response' : 'closed_early';
    default:
      // Its documented HPE_… codes are missing in this version, so we use llhttp's message.
      if (error instanceof errors.HTTPParserError)
        return messageOf(error).includes('Invalid EOF state') ? 'closed_early' : 'invalid_response';
      // In TLS 1.3 a client may be refused after its side of the handshake is over.
      if (detail.startsWith('ERR_SSL_') || detail.startsWith('ERR_TLS_')) return 'tls_failed';
      return 'reset';
  }
}

function messageOf(error: unknown): string {
  return isNativeError(error) ? error.message : '';
}
