import type { IdempotencyMark } from './sql/idempotency';
import type { Id } from '../platform/ids';
import type { TokenOwner } from '../users/sql/users';

/** The caller of a request, and what ties the rows of the request to a retry of it. */
export interface RequestIdentity {
  readonly caller: TokenOwner;
  readonly requestId: string;
  /** Held for the `Idempotency-Key` of the request; null without one. */
  readonly mark: IdempotencyMark | null;
  /** The row that an earlier try of the same request made before it died. */
  readonly boundId: string | null;
  /** To be told when the row of the request is committed: what is left of it is waiting. */
  readonly onRowWritten?: () => void;
  /** More fields for the request's one log line. */
  readonly logged: Record<string, unknown>;
}

/**
 * The id of the row that an earlier try of the same request made; null without one. Throws when it is another kind of
 * row: a mark belongs to one request, so that is a defect of ours.
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
