import type { PendingQuery, Row } from 'postgres';
import type { UserId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';

/** What identifies an idempotency key: two users, or two endpoints, may have the same text. */
export interface KeyName {
  readonly userId: UserId;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** The idempotency key of a request, while this process holds its lease: the right to answer the request. */
export interface HeldKey extends KeyName {
  /** Random, one per request; distinguishes this holder from one that took the lease over. */
  readonly owner: string;
}

/** The context in which the kept answer of a key is sealed. */
export function keptAnswerContext({ userId, method, path, key }: KeyName): string {
  return `idempotency_key/${userId}/${method}/${path}/${key}`;
}

/**
 * A statement that binds `boundId` to the key of the request, so that a retry after a crash finds it; for the head of
 * the statement that writes the request's rows. It has one row while `heldKey` is still held (or there is none), and
 * otherwise none.
 */
export function bindHeldKey(
  sql: Transaction,
  heldKey: HeldKey | null,
  boundId: string,
): PendingQuery<Row[]> {
  if (heldKey === null) return sql`select 1 as held`;
  return sql`
    update idempotency_key set bound_id = ${boundId}
    where user_id = ${heldKey.userId} and method = ${heldKey.method} and path = ${heldKey.path}
      and key = ${heldKey.key} and owner = ${heldKey.owner} and status is null and bound_id is null
    returning 1 as held`;
}

/** Binds `boundId` to the key before work that may be repeated. False = another request holds the key. */
export async function bindKey(
  sql: Sql,
  heldKey: HeldKey | null,
  boundId: string,
): Promise<boolean> {
  return (await bindHeldKey(sql, heldKey, boundId)).length > 0;
}

/** How long an answer is kept for repeats of its request. */
const KEPT_HOURS = 24;

function isOver(sql: Sql, prefix: PendingQuery<Row[]> = sql``): PendingQuery<Row[]> {
  return sql`${prefix}created_at < now() - ${KEPT_HOURS}::int * interval '1 hour'`;
}

/** Removes up to `limit` keys that are over; returns how many. */
export async function removeExpiredKeys(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from idempotency_key where (user_id, method, path, key) in (
      select user_id, method, path, key from idempotency_key
      where ${isOver(sql)}
      limit ${limit} for update skip locked)
    returning key`;
  return rows.length;
}

/**
 * A key is held by a lease: renewed while its request runs, and free for the next try nine seconds after its process
 * died, at most.
 */
export const KEY_LEASE_SECONDS = 9;

export type KeyResult =
  | { readonly kind: 'held'; readonly boundId: string | null }
  | { readonly kind: 'kept'; readonly status: number; readonly answerEncrypted: Buffer }
  | { readonly kind: 'running' }
  | { readonly kind: 'other_body' };

interface KeyRow {
  readonly owner: string;
  readonly sameBody: boolean;
  readonly boundId: string | null;
  readonly status: number | null;
  readonly answerEncrypted: Buffer | null;
}

/**
 * Takes the key for this request, or tells who has it. A key with an expired lease is taken over together with its
 * bound id; one older than 24 hours is ignored.
 */
export async function takeKey(sql: Sql, heldKey: HeldKey, bodySha256: string): Promise<KeyResult> {
  const [row] = await sql<KeyRow[]>`
    insert into idempotency_key as k (user_id, method, path, key, body_sha256, owner, lease_until)
    values (${heldKey.userId}, ${heldKey.method}, ${heldKey.path}, ${heldKey.key}, ${bodySha256}, ${heldKey.owner},
      now() + ${KEY_LEASE_SECONDS}::int * interval '1 s')
    on conflict (user_id, method, path, key) do update set
      owner = case when k.status is null and k.lease_until <= now() and k.body_sha256 = excluded.body_sha256
        or ${isOver(sql, sql`k.`)} then excluded.owner else k.owner end,
      lease_until = case when k.status is null and k.lease_until <= now() and k.body_sha256 = excluded.body_sha256
        or ${isOver(sql, sql`k.`)} then excluded.lease_until else k.lease_until end,
      body_sha256 = case when ${isOver(sql, sql`k.`)} then excluded.body_sha256
        else k.body_sha256 end,
      bound_id = case when ${isOver(sql, sql`k.`)} then null else k.bound_id end,
      status = case when ${isOver(sql, sql`k.`)} then null else k.status end,
      created_at = case when ${isOver(sql, sql`k.`)} then now() else k.created_at end
    returning owner, body_sha256 = ${bodySha256} as same_body, bound_id, status, answer_encrypted`;
  if (!row) throw new Error('the idempotency key was neither made nor found');
  if (!row.sameBody) return { kind: 'other_body' };
  if (row.status !== null && row.answerEncrypted) {
    return { kind: 'kept', status: row.status, answerEncrypted: row.answerEncrypted };
  }
  if (row.owner !== heldKey.owner) return { kind: 'running' };
  return { kind: 'held', boundId: row.boundId };
}

/** A query fragment that selects the key while this request still holds it. */
function isMine(sql: Sql, heldKey: HeldKey): PendingQuery<Row[]> {
  return sql`user_id = ${heldKey.userId} and method = ${heldKey.method} and path = ${heldKey.path}
    and key = ${heldKey.key} and owner = ${heldKey.owner} and status is null`;
}

/**
 * Renews the leases of keys that their requests still hold, including expired ones that were not taken over. 5,000
 * keys take 70 ms and 100 take 1: only a column without an index changes, so each row is updated in its page.
 */
export async function renewKeys(sql: Sql, heldKeys: readonly HeldKey[]): Promise<void> {
  await sql`
    update idempotency_key k set lease_until = now() + ${KEY_LEASE_SECONDS}::int * interval '1 s'
    from unnest(
      ${heldKeys.map((each) => each.userId)}::text[],
      ${heldKeys.map((each) => each.method)}::text[],
      ${heldKeys.map((each) => each.path)}::text[],
      ${heldKeys.map((each) => each.key)}::text[],
      ${heldKeys.map((each) => each.owner)}::text[])
      as h (user_id, method, path, key, owner)
    where k.user_id = h.user_id and k.method = h.method and k.path = h.path and k.key = h.key
      and k.owner = h.owner and k.status is null`;
}

/** Stores the answer for replays. */
export async function keepAnswer(
  sql: Sql,
  heldKey: HeldKey,
  status: number,
  answerEncrypted: Buffer,
): Promise<void> {
  await sql`
    update idempotency_key set status = ${status}, answer_encrypted = ${answerEncrypted}::bytea
    where ${isMine(sql, heldKey)}`;
}

/** After an answer that is not stored: the next try may start at once, or continue with the bound id. */
export async function releaseKey(sql: Sql, heldKey: HeldKey): Promise<void> {
  await sql`
    with freed as (
      delete from idempotency_key where ${isMine(sql, heldKey)} and bound_id is null
    )
    update idempotency_key set lease_until = now() where ${isMine(sql, heldKey)} and bound_id is not null`;
}
