import type { ParameterizedContext } from 'koa';
import type { IdempotencyMark } from './sql/idempotency';
import type { TokenOwner } from '../users/sql/users';
import type { BodyReservation } from './body-budget';
import type { RouteContract } from './route';

/** What the middleware in front of a handler has found out about its request. */
export interface RequestState {
  requestId: string;
  /** Where the request comes from, trusted proxies left aside. */
  address: string;
  /** The declaration by which the request is answered; absent while none matches its path and method. */
  route?: RouteContract;
  /** Set by `authenticate`. */
  caller: TokenOwner;
  /**
   * Set by `readBody`: what the route's handler gets (parsed JSON, its text, or the bytes). Empty again as soon as the
   * handler's first half is over, so that a request that waits for an outcome does not hold the memory of its body.
   */
  body: unknown;
  /** The room that the body takes in the process; given back together with it. */
  bodyMemory?: BodyReservation;
  /** Set by `readBody`, see `RequestIdentity`. */
  onRowWritten?: () => void;
  /** SHA-256 (hex) of the decoded bytes of the body. */
  bodySha256: string;
  /** Set by `idempotent` when the request has an `Idempotency-Key`. */
  mark: IdempotencyMark | null;
  /** The row that an earlier try of the same request made before it died. */
  boundId: string | null;
  /** Its line is for who looks closely: it comes every few seconds, and what it says is said elsewhere. */
  isProbe?: boolean;
  /** More fields for the request's one log line. */
  logged: Record<string, unknown>;
}

export type RequestContext = ParameterizedContext<RequestState>;

/** Forgets the body and gives its room back; when there is none (any more) nothing happens. */
export function letBodyGo({ state }: RequestContext): void {
  state.body = undefined;
  state.bodyMemory?.release();
}
