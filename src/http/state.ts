import type { ParameterizedContext } from 'koa';
import type { IdempotencyMark } from '../db/idempotency';
import type { TokenOwner } from '../db/users';

/** What the middleware in front of a handler has found out about its request. */
export interface RequestState {
  requestId: string;
  /** Set by `authenticate`. */
  caller: TokenOwner;
  /** Set by `readJson`: the parsed body, and the SHA-256 (hex) of its decoded bytes. */
  json: unknown;
  bodySha256: string;
  bodyText: string;
  /** Set by `idempotent` when the request has an `Idempotency-Key`. */
  mark: IdempotencyMark | null;
  /** The row that an earlier try of the same request made before it died. */
  boundId: string | null;
  /** More fields for the request's one log line. */
  logged: Record<string, unknown>;
}

export type RequestContext = ParameterizedContext<RequestState>;
