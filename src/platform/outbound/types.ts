import type { OwnFaultKind } from './own-faults';

/** Why a request has no whole answer; a closed list, stored in attempts and shown to operators. */
export type OutboundErrorCode =
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connect_refused'
  | 'connect_timeout'
  | 'connect_failed'
  | 'tls_failed'
  | 'reset'
  | 'closed_early'
  | 'timeout'
  | 'invalid_response'
  | 'headers_too_large'
  | 'aborted'
  | 'invalid_request';

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Lower-case names; repeated fields joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Deadline for everything from name look-up to the last byte of the answer that is read. */
  readonly timeoutMs: number;
  /** Another deadline that replaces the first when the last byte of the request was passed to the socket. */
  readonly answerTimeoutMs?: number;
  /** The answer is cut off after this many bytes, encoded and decoded (`truncated`). Default 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Host names or literal addresses (as in the URL) exempt from the address rules: the operator's own configuration. */
  readonly trustedHost?: string;
  readonly signal?: AbortSignal;
  /**
   * Asked right before the first byte is written, possibly long after the call; `false` = nothing is sent, `aborted`.
   */
  readonly maySend?: () => boolean;
  /** Called once, when the last byte of the request was passed to the socket. */
  readonly onSent?: () => void;
  /**
   * Asked while the answer arrives, not for every byte of it; `true` = enough was read, and the result is `truncated`.
   * For image heads.
   */
  readonly stopWhen?: (head: Buffer, response: ResponseHead) => boolean;
  /**
   * Asked once the status line is read; `true` = nothing else of the answer decides anything, so nothing more for a
   * second counts as its end.
   */
  readonly statusDecides?: (status: number) => boolean;
}

/** Why something of an exchange is missing. */
export interface OutboundTrouble {
  readonly code: OutboundErrorCode;
  /** The cause in words, for the owner of the peer; null if the code says it all. Nothing of path, query or body. */
  readonly detail: string | null;
  /** For logs and operators; holds no secret and no query string. */
  readonly message: string;
}

/** What came of a request: an answer as soon as its status line was read, whatever happened to the rest. */
export type OutboundResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Lower-case names; repeated fields joined with ", ". Empty if the head broke off. */
      readonly headers: Readonly<Record<string, string>>;
      /** At most `maxResponseBytes`, decoded: see `decodeContent`. */
      readonly body: Buffer;
      /** The rest of the answer is missing: it was too long, enough was read, or it is `broken`. */
      readonly truncated: boolean;
      /** Why the rest did not come. */
      readonly broken?: OutboundTrouble;
      /** Why the body was left out, in words for the owner of the peer. */
      readonly detail?: string;
      readonly durationMs: number;
    }
  /** No status line. */
  | (OutboundTrouble & {
      readonly kind: 'failed';
      /** `none`: no byte of the request can have reached the peer. `some`: the peer may have acted. */
      readonly sent: 'none' | 'some';
      /** Our own trouble, of which the peer knows nothing; absent if it is not ours. */
      readonly ours?: OwnFaultKind;
      readonly durationMs: number;
    });

/** The only way to the network. Never throws for anything that a peer does; never follows a redirect. */
export interface OutboundClient {
  request(request: OutboundRequest): Promise<OutboundResult>;
  close(): Promise<void>;
}
