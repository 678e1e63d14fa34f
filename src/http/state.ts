import type { ParameterizedContext } from 'koa';
import type { HeldKey } from './sql/idempotency';
import type { TokenOwner } from '../users/sql/users';
import type { Held } from '../platform/admission/shares';
import type { RouteContract } from './route';

/** What the middleware has found out about a request. */
export interface RequestState {
  requestId: string;
  /** Where the request comes from, behind trusted proxies. */
  address: string;
  /** The declaration of the route; absent if none matches the path and method. */
  route?: RouteContract;
  /** Set by `authenticate`. */
  caller: TokenOwner;
  /**
   * Set by `readBody`: what the route's handler gets (parsed JSON, its text, or the bytes). Cleared after the
   * handler's first half, so that a waiting request does not hold the memory of its body.
   */
  body: unknown;
  /** The memory that the body takes in the process; released together with it. */
  bodyMemory?: Held;
  /** Set by `readBody`, see `RequestIdentity`. */
  onRowWritten?: () => void;
  /** The caller hung up during the wait for an outcome. */
  hasLeft?: boolean;
  /** See `RequestIdentity`. */
  onCallerGone?: (listener: () => void) => void;
  /** SHA-256 (hex) of the decoded bytes of the body. */
  bodySha256: string;
  /** Set by `idempotent` if the request has an `Idempotency-Key`. */
  heldKey: HeldKey | null;
  /** The row that an earlier try of the same request wrote before it died. */
  boundId: string | null;
  /**
   * Its line is only logged at a detailed level: there may be thousands, and what they say is reported elsewhere, as of
   * probes and of what is refused by a bound, which has its metric.
   */
  isReportedElsewhere?: boolean;
  /** More fields for the request's one log line. */
  logged: Record<string, unknown>;
}

export type RequestContext = ParameterizedContext<RequestState>;

/** Drops the body and returns its memory; does nothing if there is none (any more). */
export function letBodyGo({ state }: RequestContext): void {
  state.body = undefined;
  state.bodyMemory?.release();
}
