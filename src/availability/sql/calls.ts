import type { PendingQuery, Row } from 'postgres';
import type { WaitingReason } from '../../contract/why-it-waits';
import type { ItemState } from '../availability';
import { endChanges } from './changes';
import { recordMayBeOff } from './marks';
import { addNotes, type ChangeNote } from './unorderable';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import type { PublicationKey } from '../../uploads/sql/publications';
import { APP_LEASE_MS } from '../../uploads/sql/pushes';

/** Entitles one run of an activity to record results of a queue, until the next claim. */
export interface QueueClaim extends PublicationKey {
  readonly claimNo: number;
}

/** The right of one call to use the app of a store. */
export interface AppLease extends PublicationKey {
  /** Unique to this call. */
  readonly callId: string;
}

/**
 * The allowed rate: one call per `spacingMs`, and up to `burst` at once. 0: the call has no rate of its own and ignores
 * the rate of others.
 */
export interface CallRate {
  readonly spacingMs: number;
  readonly burst: number;
  /** The spacing counts from the answer, rather than from the first byte. */
  readonly spacedFromAnswer?: boolean;
}

export type CallStart =
  | { readonly kind: 'go' }
  /** Another claim has taken over. */
  | { readonly kind: 'stale' }
  /** A push or another call is in progress. */
  | { readonly kind: 'held' }
  | { readonly kind: 'paced'; readonly ms: number };

/** The last check before a call: takes the lease of the app, which pushes of menus take as well. */
export async function beginCall(
  sql: Sql,
  { storeId, integrationId, claimNo, callId }: QueueClaim & AppLease,
  { spacingMs, burst }: CallRate,
): Promise<CallStart> {
  const [row] = await sql<{ held: boolean; ms: number }[]>`
    with queue as (
      select case when ${spacingMs}::int = 0 then 0::float8
        else greatest(extract(epoch from next_call_at - now()) * 1000
          - ${spacingMs * (burst - 1)}::int, 0)::float8 end as ms
      from availability_queue
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and claim_no = ${claimNo}::bigint
      for update
    ), way as (
      select coalesce(p.push_until > now(), false)
        or coalesce(p.call_until > now() and p.call_holder <> ${callId}, false) as held
      from publication p, queue
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
      for no key update of p
    ), begun as (
      update publication p set call_holder = ${callId},
        -- Not now(): that is the start of the transaction, so waiting for the rows' locks would shorten the lease.
        call_until = clock_timestamp() + ${APP_LEASE_MS}::int * interval '1 ms'
      from queue, way
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
        and not way.held and queue.ms = 0
    ), paced as (
      update availability_queue q set
        next_call_at = greatest(q.next_call_at, now()) + ${spacingMs}::int * interval '1 ms'
      from queue, way
      where q.store_id = ${storeId}::bigint and q.integration_id = ${integrationId}::bigint
        and not way.held and queue.ms = 0
    )
    select way.held, queue.ms from queue, way`;
  if (!row) return { kind: 'stale' };
  if (row.held) return { kind: 'held' };
  return row.ms > 0 ? { kind: 'paced', ms: Math.ceil(row.ms) } : { kind: 'go' };
}

/** The call is still in progress. No effect once it has ended: its last renewal may come after its end. */
export async function renewCall(sql: Sql, lease: AppLease): Promise<void> {
  await sql`
    update publication set call_until = clock_timestamp() + ${APP_LEASE_MS}::int * interval '1 ms'
    where store_id = ${lease.storeId}::bigint and integration_id = ${lease.integrationId}::bigint
      and call_holder = ${lease.callId} and call_until is not null`;
}

/** The call has ended, with whatever result. */
export async function endCall(sql: Sql, lease: AppLease): Promise<void> {
  await sql`
    update publication set call_until = null
    where store_id = ${lease.storeId}::bigint and integration_id = ${lease.integrationId}::bigint
      and call_holder = ${lease.callId}`;
}

/**
 * A request counted for the app `agoMs` ago, and the next one may follow after the spacing: it can have gone out, or
 * arrived, long after it was allowed to, as on a busy machine or over a new connection.
 */
export async function spaceNextCall(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
  { spacingMs }: Pick<CallRate, 'spacingMs'>,
  agoMs: number,
): Promise<void> {
  await sql`
    update availability_queue set next_call_at = greatest(next_call_at,
      clock_timestamp() + ${spacingMs - agoMs}::float8 * interval '1 ms')
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
}

/** An item waiting to be switched. */
export interface DueItem {
  readonly changeId: string;
  readonly externalId: string;
  readonly available: boolean;
  /** When it comes back by itself, if it does. */
  readonly until: Date | null;
  /** Its ids in the live menu, copies included; empty: it is not in that menu. */
  readonly wireIds: readonly string[];
  /** Whether a call about it was begun before, so the app may have acted. */
  readonly wasTried: boolean;
}

/**
 * The next items of a queue, oldest change first; `sameDirection`: only items that go off sale, or only items that come
 * back, whichever the first one does. They count as tried from now on. Leaves out items whose `until` passed while the
 * call waited for the lease: the next claim ends them.
 */
export async function takeItems(
  sql: Sql,
  { storeId, integrationId, claimNo }: QueueClaim,
  { limit, sameDirection }: { readonly limit: number; readonly sameDirection: boolean },
): Promise<DueItem[]> {
  return sql<DueItem[]>`
    with queue as (
      select from availability_queue
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and claim_no = ${claimNo}::bigint
    ), lapsed as materialized (
      select external_id from availability_mark
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and api_until <= now() and not by_stock and not by_season
    ), due as not materialized (
      select i.change_id, i.position, i.external_id, i.available, i.tried from availability_item i, queue
      where i.store_id = ${storeId}::bigint and i.integration_id = ${integrationId}::bigint
        and i.state = 'waiting'
        and (i.available or i.external_id not in (select external_id from lapsed))
    ), first as (
      select available from due order by change_id, position limit 1
    ), taken as materialized (
      select due.* from due, first
      where not ${sameDirection}::boolean or due.available = first.available
      order by due.change_id, due.position limit ${limit}
    ), tried as (
      update availability_item i set tried = true from taken t
      where i.change_id = t.change_id and i.external_id = t.external_id and not i.tried
    ), live as materialized (
      -- Decompressed by the || once, see takeUnavailable.
      select u.item_ids || '{}' as item_ids
      from publication p join menu_upload u on u.upload_id = p.live_upload_id
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
    )
    select t.change_id, t.external_id, t.available, t.tried as was_tried,
      case when t.available or m.by_stock or m.by_season then null else m.api_until end as until,
      coalesce((select item_ids from live) -> t.external_id, '[]') as wire_ids
    from taken t
    left join lateral (
      select * from availability_mark
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and external_id = t.external_id limit 1
    ) m on true
    order by t.change_id, t.position`;
}

/** The result for an item. */
export interface ItemResult {
  readonly changeId: string;
  readonly externalId: string;
  readonly state: Extract<ItemState, 'done' | 'failed'>;
  readonly message: string | null;
  /** Whether the app may have it off sale; only for items that go off sale. */
  readonly mayBeOff: boolean;
}

/**
 * Records results of items and ends changes that have none left; returns how many items of the queue still wait. The
 * app answered, so the next try need not wait. `notes` are for the changes that end. Has no effect, and returns 0, once
 * another claim has taken over.
 */
export async function recordItems(
  sql: Sql,
  claim: QueueClaim,
  results: readonly ItemResult[],
  notes: readonly ChangeNote[] = [],
): Promise<number> {
  const rows = results.map(({ changeId, externalId, state, message }) => ({
    change_id: changeId,
    external_id: externalId,
    state,
    message,
  }));
  return sql.begin(async (tx) => {
    if (!(await clearRetry(tx, claim))) return 0;
    await tx`
      -- An item that stays off sale for its season says so from the start.
      update availability_item i set state = r.state, message = coalesce(r.message, i.message)
      from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as r (change_id text, external_id text, state text, message text)
      where i.change_id = r.change_id and i.external_id = r.external_id and i.state = 'waiting'`;
    await recordMayBeOff(
      tx,
      claim,
      results.filter(({ mayBeOff }) => mayBeOff),
    );
    await endChanges(tx, claim);
    await addNotes(tx, notes);
    const counted = await tx<{ left: number }[]>`
      select count(*)::int as left from availability_item
      where store_id = ${claim.storeId}::bigint and integration_id = ${claim.integrationId}::bigint
        and state = 'waiting'`;
    return onlyRow(counted).left;
  });
}

/** What a call in vain said, cleaned. */
interface FailedCall {
  readonly reason: string;
  readonly waits: WaitingReason;
}

/** Columns of queue `q` after one more call in vain. */
export function afterFailedCall(
  sql: Sql | Transaction,
  { reason, waits }: FailedCall,
): PendingQuery<Row[]> {
  return sql`waiting_since = case when q.wait_reason = ${waits} then q.waiting_since else now() end,
    wait_reason = ${waits}, wait_words = ${reason}, failed_tries = q.failed_tries + 1`;
}

/** A call was in vain, and a quick try follows after `pauseMs`. False = another claim has taken over. */
export async function recordFailedCall(
  sql: Sql,
  { storeId, integrationId, claimNo }: QueueClaim,
  failed: FailedCall,
  pauseMs: number,
): Promise<boolean> {
  const rows = await sql`
    update availability_queue q set ${afterFailedCall(sql, failed)},
      next_try_at = now() + ${pauseMs}::int * interval '1 ms'
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and claim_no = ${claimNo}::bigint
    returning store_id`;
  return rows.length > 0;
}

/** False = another claim has taken over. */
export async function clearRetry(
  tx: Transaction,
  { storeId, integrationId, claimNo }: QueueClaim,
): Promise<boolean> {
  const rows = await tx`
    update availability_queue set retry_at = null, retry_is_asked = false, rounds = 0,
      wait_reason = null, wait_words = null, failed_tries = 0, next_try_at = null
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and claim_no = ${claimNo}::bigint
    returning store_id`;
  return rows.length > 0;
}
