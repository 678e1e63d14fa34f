import type { PendingQuery, Row } from 'postgres';
import type { UploadId } from '../ids';
import type { Sql } from './client';

/** Who pushes: an attempt of an upload, and the call of the activity that began its step last. */
export interface PushTurn {
  readonly uploadId: UploadId;
  readonly attemptNo: number;
  /** Of the step in the upload's row. */
  readonly startedAt: Date;
  /** Of this call alone: two may begin in the same millisecond. */
  readonly callId: string;
}

export interface PushMark {
  /** Another call's push to the app is under way: nothing was changed, and nothing may be sent. */
  readonly isHeld: boolean;
  /** What was still settling before the push; `endPush` goes back to it. */
  readonly settlesUntil: Date | null;
}

/** How long a push counts as under way without being renewed: less than a dead worker's step waits for another one. */
const HELD_MS = 1_500;
/** How often it is renewed, ms. */
export const RENEW_PUSH_MS = 400;

/**
 * Asked in the last moment before a push; undefined = another attempt, or a newer menu, has taken over.
 * From here on nobody knows what the app shows. With `settleMs` (asynchronous apps) the slot is taken before anything
 * is sent: a process that dies in the middle leaves a task that nobody knows the id of.
 */
export async function beginPush(
  sql: Sql,
  { settleMs, ...turn }: PushTurn & { readonly settleMs: number | null },
): Promise<PushMark | undefined> {
  const [row] = await sql<PushMark[]>`
    with before as (
      select u.upload_id, p.store_id, p.integration_id, p.slot_settles_until as settles_until,
        coalesce(p.push_until > now() and p.push_turn <> ${turn.callId}, false) as is_held
      from menu_upload u join publication p using (store_id, integration_id)
      where ${hasTurn(sql, turn)}
      for no key update of p
    ), begun as (
      update publication p set live_document_sha256 = null,
        push_turn = ${turn.callId},
        push_until = now() + ${HELD_MS}::int * interval '1 ms',
        slot_upload_id = case when ${settleMs}::int is null then p.slot_upload_id else b.upload_id end,
        slot_settles_until =
          greatest(p.slot_settles_until, now() + ${settleMs}::int * interval '1 ms')
      from before b
      where p.store_id = b.store_id and p.integration_id = b.integration_id and not b.is_held
    )
    select is_held, settles_until from before`;
  return row;
}

/** Whether upload `u` is still this call's to push. */
function hasTurn(sql: Sql, { uploadId, attemptNo, startedAt }: PushTurn): PendingQuery<Row[]> {
  return sql`
    u.upload_id = ${uploadId} and u.attempt_no = ${attemptNo} and u.state = 'running'
      and exists (select from upload_step s
        where s.upload_id = u.upload_id and s.name = 'push'
          and s.started_at = ${startedAt}::timestamptz)`;
}

/** The push is still under way. Without effect once another call has begun its own. */
export async function renewPush(sql: Sql, turn: PushTurn): Promise<void> {
  await sql`
    update publication p set push_until = now() + ${HELD_MS}::int * interval '1 ms'
    from menu_upload u
    where ${isHolder(sql, turn)}`;
}

/** Whether publication `p` is still held by this call for its upload `u`. */
function isHolder(sql: Sql, { uploadId, callId }: PushTurn): PendingQuery<Row[]> {
  return sql`
    u.upload_id = ${uploadId} and p.store_id = u.store_id
      and p.integration_id = u.integration_id and p.push_turn = ${callId}`;
}

/** The push was answered: only what was sent without an answer before it still settles. */
export async function endPush(sql: Sql, turn: PushTurn, mark: PushMark): Promise<void> {
  await sql`
    update publication p set slot_settles_until = ${mark.settlesUntil}::timestamptz, push_until = null
    from menu_upload u
    where ${isHolder(sql, turn)}`;
}
