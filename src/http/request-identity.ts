import type { HeldKey } from './sql/idempotency';
import type { Id } from '../platform/ids';
import type { TokenOwner } from '../users/sql/users';

/** The caller of a request, and the key that connects its rows with a retry. */
export interface RequestIdentity {
  readonly caller: TokenOwner;
  readonly requestId: string;
  /** Held for the request's `Idempotency-Key`; null without one. */
  readonly heldKey: HeldKey | null;
  /** The row that an earlier try of the same request wrote before it died. */
  readonly boundId: string | null;
  /** Call it when the request's row is committed, or where a request without one begins to wait for its outcome. */
  readonly onRowWritten?: () => void;
  /**
   * Calls back when the caller hangs up while the outcome is open, or now if that is so already. Its answer is not kept
   * for the idempotency key then: a retry waits again for the outcome.
   */
  readonly onCallerGone?: (listener: () => void) => void;
  /** More fields for the request's one log line. */
  readonly logged: Record<string, unknown>;
}

/**
 * The id of the row that an earlier try of the same request wrote; null without one. Throws if it is another kind of
 * row: a key belongs to one request, so that is a defect of ours.
 */
export function boundIdOf<Prefix extends string>(
  { boundId }: Pick<RequestIdentity, 'boundId'>,
  prefix: Prefix,
): Id<Prefix> | null {
  if (boundId === null) return null;
  if (!boundId.startsWith(`${prefix}_`)) {
    throw new Error(`an idempotency key is bound to ${boundId}, which is no ${prefix}`);
  }
  return boundId as Id<Prefix>;
}
