import type { PendingQuery, Row } from 'postgres';
import type { MenuChange } from '../../menus/changes/menu-changes';
import type { AppLease, CallStart } from '../../availability/sql/calls';
import type { Sql } from '../../platform/db/client';
import type { UploadId } from '../../platform/ids';
import { notifyRowsDone } from '../../platform/db/row-done';
import { isLeased, leaseIsTaken, maySweepAtOnce } from '../../platform/queue/lease';
import { type DriftState, type LiveMenu, writeDrift } from '../../uploads/sql/live-menus';
import type { PublicationKey } from '../../uploads/sql/publications';
import { APP_LEASE_MS } from '../../uploads/sql/pushes';

/** Removes up to `limit` findings of before the retention; returns how many. */
export async function removeExpiredFindings(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql`
    delete from drift_finding where finding_no in (
      select finding_no from drift_finding where found_at < now() - ${days}::int * interval '1 day'
      order by found_at limit ${limit} for update skip locked)
    returning finding_no`;
  return rows.length;
}

/** The most changes of a reading that are stored and returned. */
export const KEPT_CHANGES = 100;

/** The id on which a caller waits. It is not a row's id, because publications have none. */
export function checkWaitId({ storeId, integrationId }: PublicationKey): string {
  return `check_${storeId}_${integrationId}`;
}

export interface RequestedCheck {
  /** The number of the caller's check: it is done when `check_done` has reached it. */
  readonly number: number;
  readonly leased: boolean;
}

/** Requests a check; undefined = nothing is live there. */
export async function requestCheck(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
  waitMs: number,
): Promise<RequestedCheck | undefined> {
  const [row] = await sql<RequestedCheck[]>`
    update publication set check_asked = check_asked + 1,
      check_asked_at = now(), ${maySweepAtOnce(sql, sql`check_`)},
      check_awaited_until = greatest(check_awaited_until, now() + ${waitMs}::int * interval '1 ms')
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and live_upload_id is not null
    returning check_asked as number, ${isLeased(sql, sql`check_`)} as leased`;
  return row;
}

/** The result of the last reading; undefined while the check `number` is not done. */
export interface CheckedMenu extends LiveMenu {
  readonly driftChanges: readonly MenuChange[] | null;
}

export async function findCheck(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
  number: number,
): Promise<CheckedMenu | undefined> {
  const [row] = await sql<CheckedMenu[]>`
    select store_id, integration_id, live_upload_id as upload_id, live_since, drift_state,
      drift_checked_at, drift_changes_count, drift_changes
    from publication
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      and check_done >= ${number}::bigint`;
  return row;
}

/** A reading that is due. */
export interface DueCheck {
  /** It completes all checks requested up to this number. */
  readonly number: number;
  readonly uploadId: UploadId;
  readonly payloadSha256: string | null;
  readonly countryCode: string;
}

/** The reading that a publication waits for; undefined if there is none. Takes the lease. */
export async function claimCheck(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
): Promise<DueCheck | undefined> {
  const [row] = await sql<DueCheck[]>`
    update publication p set ${leaseIsTaken(sql, sql`check_`)}
    from menu_upload u join store s using (store_id)
    where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
      and u.upload_id = p.live_upload_id
      and (p.check_asked > p.check_done or ${isScheduled(sql)} or ${isDueAgain(sql)})
    returning p.check_asked as number, u.upload_id, u.payload_sha256, s.country_code`;
  return row;
}

/**
 * Gives the lease back; false = there is a check to make after all. Checks of a menu that ceased to be
 * live before it was read are done: nothing is left to read, and their callers learn it.
 */
export async function restCheck(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
): Promise<boolean> {
  await sql`
    with rested as (
      update publication set check_lease_until = null,
        check_done = case when live_upload_id is null then check_asked else check_done end
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
      returning live_upload_id, check_awaited_until
    )
    ${notifyRowsDone(
      sql,
      sql`select ${checkWaitId({ storeId, integrationId })} as id from rested
        where live_upload_id is null and check_awaited_until > now()`,
    )}`;
  const rows = await sql`
    select from publication p join store s using (store_id)
    where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
      and p.live_upload_id is not null
      and (p.check_asked > p.check_done or ${isScheduled(sql)} or ${isDueAgain(sql)})`;
  return rows.length === 0;
}

/** A check that was asked for before the store `s` was deleted is still made, a scheduled one is not. */
function isScheduled(sql: Sql): PendingQuery<Row[]> {
  return sql`(p.check_at <= now() and s.deleted_at is null)`;
}

/**
 * A condition on publication `p` and its store `s`: its last reading may have shown an upload of our own, which has
 * ended since.
 */
export function isDueAgain(sql: Sql): PendingQuery<Row[]> {
  return sql`(p.check_again and s.deleted_at is null and not ${mayShowUnfinished(sql)})`;
}

/** A condition on publication `p`: the app may already show an upload that has not ended. */
function mayShowUnfinished(sql: Sql): PendingQuery<Row[]> {
  return sql`exists (
    select from menu_upload own
    where own.store_id = p.store_id and own.integration_id = p.integration_id
      and own.state in ('queued', 'running') and own.may_be_shown)`;
}

/**
 * Takes the lease of the app, as pushes and calls about items do. `held`: one of them is in progress. `paced`: the last
 * reading began less than `spacingMs` ago.
 */
export async function beginReading(
  sql: Sql,
  { storeId, integrationId, callId }: AppLease,
  spacingMs = 0,
): Promise<Exclude<CallStart, { kind: 'stale' }>> {
  const [row] = await sql<{ begun: boolean; ms: number | null }[]>`
    with begun as (
      update publication set call_holder = ${callId},
        call_until = clock_timestamp() + ${APP_LEASE_MS}::int * interval '1 ms',
        next_read_at = clock_timestamp() + ${spacingMs}::int * interval '1 ms'
      where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint
        and coalesce(push_until <= now(), true)
        and (coalesce(call_until <= now(), true) or call_holder = ${callId})
        and coalesce(next_read_at <= now(), true)
      returning store_id
    )
    select exists (select from begun) as begun,
      extract(epoch from next_read_at - now())::float8 * 1000 as ms
    from publication
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
  if (row?.begun) return { kind: 'go' };
  const ms = Math.ceil(row?.ms ?? 0);
  return ms > 0 ? { kind: 'paced', ms } : { kind: 'held' };
}

/** The result of a reading. */
export interface Reading {
  readonly state: Exclude<DriftState, 'unknown'>;
  /** Null if the app was not read. */
  readonly count: number | null;
  /** The first changes. */
  readonly changes: readonly MenuChange[];
  /** Hash of the difference, so that each one is reported once. */
  readonly sha256: string | null;
}

/**
 * Stores the result of a reading, notifies waiting callers, and reports a new difference to the platform. If another
 * menu went live meanwhile, nothing is stored, and the check is still to be made. A difference that may be an upload of
 * our own, not ended yet, is no drift: the last result stays, and the menu is read again after that upload.
 * `everyMs`: time until the next scheduled reading; null = there is none.
 */
export async function recordReading(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
  { number, uploadId }: DueCheck,
  { state, count, changes, sha256 }: Reading,
  everyMs: number | null,
): Promise<void> {
  await sql`
    with locked as (
      select p.drift_told, coalesce(p.live_upload_id = ${uploadId}, false) as is_live,
        -- Its integration has another app now: there is nothing left to read.
        p.live_upload_id is null as is_gone,
        ${state} = 'changed' and ${mayShowUnfinished(sql)} as is_own
      from publication p
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
      for no key update
    ), before as (
      select *, is_live or is_gone as is_done, is_live and not is_own as is_result from locked
    ), changed as (
      update publication p set
        check_done = case when b.is_done then greatest(p.check_done, ${number}::bigint)
          else p.check_done end,
        check_at = case when b.is_done then now() + ${everyMs}::float8 * interval '1 ms'
          else p.check_at end,
        check_again = case when b.is_done then b.is_live and b.is_own else p.check_again end,
        ${maySweepAtOnce(sql, sql`check_`)},
        drift_state = case when b.is_result then ${state} else p.drift_state end,
        drift_checked_at = case when b.is_result then now() else p.drift_checked_at end,
        drift_changes_count = case when b.is_result then ${count}::int
          else p.drift_changes_count end,
        drift_changes = case when b.is_result then ${JSON.stringify(changes)}::text::json
          else p.drift_changes end,
        -- A reading that failed says nothing about the difference that was told before.
        drift_told = case when b.is_result and ${state} <> 'unreadable' then ${sha256}
          else p.drift_told end
      from before b
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
      returning p.*, b.drift_told as told_before, b.is_result, b.is_done
    ), notified as (
      select ${writeDrift(sql)}
      from changed
      where is_result and drift_state = 'changed' and drift_told is distinct from told_before
    ), announced as (
      ${notifyRowsDone(
        sql,
        sql`select ${checkWaitId({ storeId, integrationId })} as id from changed
          where is_done and check_awaited_until > now()`,
      )}
    )
    select (select count(*) from notified) as notified, (select count(*) from announced) as announced`;
}
