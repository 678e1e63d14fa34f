import type { PendingQuery, Row } from 'postgres';
import type { UserId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';

/** The right to answer a request with an `Idempotency-Key`: a leased row, held by one process at a time. */
export interface IdempotencyMark {
  readonly userId: UserId;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** Random, one per request; distinguishes this holder from one that took the lease over. */
  readonly owner: string;
}

/**
 * A query with one row while `mark` is held (or there is none) and otherwise no row, for the head of the statement
 * that writes the request's rows. It also binds `boundId` to the mark, so that a retry after a crash finds it.
 */
export function isMarkHeld(
  sql: Transaction,
  mark: IdempotencyMark | null,
  boundId: string,
): PendingQuery<Row[]> {
  if (mark === null) return sql`select 1 as held`;
  return sql`
    update idempotency_key set bound_id = ${boundId}
    where user_id = ${mark.userId} and method = ${mark.method} and path = ${mark.path}
      and key = ${mark.key} and owner = ${mark.owner} and status is null and bound_id is null
    returning 1 as held`;
}

/** Binds `boundId` to the mark before work that may be repeated. False = another request has the mark. */
export async function bindMark(
  sql: Sql,
  mark: IdempotencyMark | null,
  boundId: string,
): Promise<boolean> {
  return (await isMarkHeld(sql, mark, boundId)).length > 0;
}

/** Removes up to `limit` keys after their 24 hours; returns how many. */
export async function removeExpiredKeys(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from idempotency_key where (user_id, method, path, key) in (
      select user_id, method, path, key from idempotency_key
      where created_at < now() - interval '24 hours'
      limit ${limit} for update skip locked)
    returning key`;
  return rows.length;
}

/**
 * A mark is a lease: renewed while its request runs, and free for the next try ten seconds after its process died.
 */
export const MARK_LEASE_SECONDS = 9;

export type MarkResult =
  | { readonly kind: 'held'; readonly boundId: string | null }
  | { readonly kind: 'kept'; readonly status: number; readonly answerEncrypted: Buffer }
  | { readonly kind: 'running' }
  | { readonly kind: 'other_body' };

interface MarkRow {
  readonly owner: string;
  readonly sameBody: boolean;
  readonly boundId: string | null;
  readonly status: number | null;
  readonly answerEncrypted: Buffer | null;
}

/**
 * Takes the mark for this request, or returns its holder. A mark with an expired lease is taken over together with
 * its bound id; one older than 24 hours is ignored.
 */
export async function takeMark(
  sql: Sql,
  mark: IdempotencyMark,
  bodySha256: string,
): Promise<MarkResult> {
  const [row] = await sql<MarkRow[]>`
    insert into idempotency_key as k (user_id, method, path, key, body_sha256, owner, lease_until)
    values (${mark.userId}, ${mark.method}, ${mark.path}, ${mark.key}, ${bodySha256}, ${mark.owner},
      now() + ${MARK_LEASE_SECONDS}::int * interval '1 s')
    on conflict (user_id, method, path, key) do update set
      owner = case when k.status is null and k.lease_until <= now() and k.body_sha256 = excluded.body_sha256
        or k.created_at < now() - interval '24 hours' then excluded.owner else k.owner end,
      lease_until = case when k.status is null and k.lease_until <= now() and k.body_sha256 = excluded.body_sha256
        or k.created_at < now() - interval '24 hours' then excluded.lease_until else k.lease_until end,
      body_sha256 = case when k.created_at < now() - interval '24 hours' then excluded.body_sha256
        else k.body_sha256 end,
      bound_id = case when k.created_at < now() - interval '24 hours' then null else k.bound_id end,
      status = case when k.created_at < now() - interval '24 hours' then null else k.status end,
      created_at = case when k.created_at < now() - interval '24 hours' then now() else k.created_at end
    returning owner, body_sha256 = ${bodySha256} as same_body, bound_id, status, answer_encrypted`;
  if (!row) throw new Error('the idempotency key was neither made nor found');
  if (!row.sameBody) return { kind: 'other_body' };
  if (row.status !== null && row.answerEncrypted) {
    return { kind: 'kept', status: row.status, answerEncrypted: row.answerEncrypted };
  }
  if (row.owner !== mark.owner) return { kind: 'running' };
  return { kind: 'held', boundId: row.boundId };
}

/** A query fragment that selects the mark while this holder still has it. */
function isMine(sql: Sql, mark: IdempotencyMark): PendingQuery<Row[]> {
  return sql`user_id = ${mark.userId} and method = ${mark.method} and path = ${mark.path}
    and key = ${mark.key} and owner = ${mark.owner} and status is null`;
}

/**
 * Renews the leases of marks that their holders still have, including expired ones that were not taken over. 5,000
 * marks take 70 ms and 100 take 1: only a column without an index changes, so each row is updated in its page.
 */
export async function renewMarks(sql: Sql, marks: readonly IdempotencyMark[]): Promise<void> {
  await sql`
    update idempotency_key k set lease_until = now() + ${MARK_LEASE_SECONDS}::int * interval '1 s'
    from unnest(
      ${marks.map((each) => each.userId)}::text[],
      ${marks.map((each) => each.method)}::text[],
      ${marks.map((each) => each.path)}::text[],
      ${marks.map((each) => each.key)}::text[],
      ${marks.map((each) => each.owner)}::text[])
      as m (user_id, method, path, key, owner)
    where k.user_id = m.user_id and k.method = m.method and k.path = m.path and k.key = m.key
      and k.owner = m.owner and k.status is null`;
}

/** Stores the answer for replays. */
export async function keepAnswer(
  sql: Sql,
  mark: IdempotencyMark,
  status: number,
  answerEncrypted: Buffer,
): Promise<void> {
  await sql`
    update idempotency_key set status = ${status}, answer_encrypted = ${answerEncrypted}::bytea
    where ${isMine(sql, mark)}`;
}

/** After an answer that is not stored: the next try may start at once, or continue with the bound id. */
export async function releaseMark(sql: Sql, mark: IdempotencyMark): Promise<void> {
  await sql`
    with freed as (
      delete from idempotency_key where ${isMine(sql, mark)} and bound_id is null
    )
    update idempotency_key set lease_until = now() where ${isMine(sql, mark)} and bound_id is not null`;
}
