import type { PendingQuery, Row } from 'postgres';
import { CANCELED_MESSAGE } from '../upload-verdict';
import type { UploadId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { notifyRowsDone } from '../../platform/db/row-done';
import { skipOpenSteps } from './upload-steps';

/** The app's answer to the last try, in its own words; null = none yet. Undefined = no such upload. */
export async function findLastReason(
  sql: Sql,
  uploadId: UploadId,
): Promise<{ readonly reason: string | null } | undefined> {
  const [row] = await sql<{ reason: string | null }[]>`
    select retry_reason as reason from menu_upload where upload_id = ${uploadId}`;
  return row;
}

/**
 * The id on which callers wait for an upload: its own, or that of the request that changed items in several integrations.
 */
export function waitId(sql: Sql | Transaction): PendingQuery<Row[]> {
  return sql`coalesce(change_request_id, upload_id)`;
}

export interface Cancellation {
  readonly uploadId: UploadId;
  /** The app's answer from which `messages` was made; if it has changed since, nothing is done. */
  readonly reason: string | null;
  readonly messages: readonly string[];
}

/**
 * Ends a waiting upload and notifies its caller. False = it has ended, an attempt is in progress, the app works on
 * its task, or the app did not answer one of its pushes, which may have had an effect.
 */
export async function cancelUpload(
  sql: Sql,
  { uploadId, reason, messages }: Cancellation,
): Promise<boolean> {
  const rows = await sql<{ ended: number }[]>`
    with ended as (
      update menu_upload u set state = 'canceled', finished_at = now(), next_attempt_at = null,
        next_try_at = null, waits_for = null, messages = ${JSON.stringify(messages)}::text::json
      where u.upload_id = ${uploadId} and u.task_id is null and not u.may_be_shown
        and u.retry_reason is not distinct from ${reason} and ${isBetweenTries(sql)}
      returning u.upload_id, u.change_request_id, u.awaited_until
    ), skipped as (
      ${skipOpenSteps(sql, sql`select upload_id from ended`)}
    ), notified as (
      ${notifyRowsDone(sql, sql`select ${waitId(sql)} as id from ended where awaited_until > now()`)}
    )
    select (select count(*) from ended)::int as ended, (select count(*) from notified) as notified`;
  return onlyRow(rows).ended === 1;
}

/**
 * A condition on upload `u`: no try is under way. It waits for its first one, for a round, or for a quick try, which
 * `beginPush` begins under the lock of this row.
 */
export function isBetweenTries(sql: Sql): PendingQuery<Row[]> {
  return sql`(u.state = 'queued'
    or (u.state = 'running' and (u.next_attempt_at is not null or u.next_try_at is not null)))`;
}

/** `canceledMessages` of upload `u`, whose reason is stored as cleaned. */
export function canceledWords(sql: Sql | Transaction): PendingQuery<Row[]> {
  return sql`
    case when coalesce(u.retry_reason, '') = '' then json_build_array(${CANCELED_MESSAGE}::text)
      else json_build_array(${CANCELED_MESSAGE}::text, u.retry_reason) end`;
}

/**
 * Ends the waiting uploads of the stores in `deleted` (a query with the column `store_id`). Those in progress finish,
 * because a request to an app cannot be taken back and its task continues. A rollout itself refuses the uploads that
 * it holds, when they would start. The caller ends their steps (`skipOpenSteps`).
 */
export function cancelWaiting(
  sql: Sql | Transaction,
  deleted: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`
    update menu_upload u set state = 'canceled', finished_at = now(), next_attempt_at = null,
      waits_for = null, messages = ${canceledWords(sql)}
    from (${deleted}) as deleted
    where u.store_id = deleted.store_id and u.task_id is null and not u.held
      and (u.state = 'queued' or (u.state = 'running' and u.next_attempt_at is not null))
    returning u.upload_id, u.change_request_id, u.awaited_until`;
}
