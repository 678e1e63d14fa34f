import type { UserId } from '../../platform/ids';
import type { OutboundErrorCode } from '../../platform/outbound/types';
import type { Sql } from '../../platform/db/client';

/** A stock update that a POS did not answer. */
export interface UnansweredPosRequest {
  readonly posRequestId: string;
  readonly storeId: number;
  readonly posId: number;
  readonly inventorySystemId: string;
  readonly userId: UserId;
  readonly requestId: string;
  readonly messageId: string;
  readonly idempotencyKey: string | null;
  /** The body that was sent, JSON text. */
  readonly body: string;
  /** `not_reached`: it cannot have acted. `unknown`: it may have. */
  readonly outcome: 'not_reached' | 'unknown';
  readonly error: OutboundErrorCode;
  readonly durationMs: number;
}

export async function insertUnansweredPosRequest(
  sql: Sql,
  request: UnansweredPosRequest,
): Promise<void> {
  await sql`
    insert into pos_request (pos_request_id, store_id, pos_id, inventory_system_id, user_id, request_id,
      message_id, idempotency_key, body, outcome, error, duration_ms)
    values (${request.posRequestId}, ${request.storeId}::bigint, ${request.posId}::bigint,
      ${request.inventorySystemId}::uuid, ${request.userId}, ${request.requestId}, ${request.messageId},
      ${request.idempotencyKey}, ${request.body}::text::json, ${request.outcome}, ${request.error},
      ${Math.round(request.durationMs)}::int)`;
}

/** Removes up to `limit` records older than the retention; returns how many. */
export async function removeExpiredPosRequests(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql`
    delete from pos_request where pos_request_id in (
      select pos_request_id from pos_request
      where created_at < now() - ${days}::int * interval '1 day'
      limit ${limit} for update skip locked)
    returning pos_request_id`;
  return rows.length;
}
