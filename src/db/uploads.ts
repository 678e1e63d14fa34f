import type { PreparedMenu } from '../delivery-apps/prepare-menu';
import type { Loss } from '../delivery-apps/types';
import type { FinalUploadState, UploadState } from '../domain/upload';
import type { UploadVerdict } from '../domain/upload-verdict';
import type { UploadId, UserId } from '../ids';
import type { Sql } from './client';
import type { Document } from './documents';
import { type IdempotencyMark, isMarkHeld } from './idempotency';
import { notifyRowsDone } from './row-done';

export interface NewUpload {
  readonly uploadId: UploadId;
  readonly storeId: number;
  readonly integrationId: number;
  readonly userId: UserId;
  readonly requestId: string;
  readonly document: Document;
  readonly skipUnchanged: boolean;
  /** How long the caller waits, ms; 0 = nobody waits and nobody needs to be told. */
  readonly waitMs: number;
  readonly mark: IdempotencyMark | null;
}

/**
 * Writes document and upload in one statement and says whether the entity is at work.
 * The number is drawn under the publication's row lock, which the entity's going idle needs too: either it sees
 * this row when it looks once more, or this statement sees that nobody is alive.
 * Undefined when the idempotency mark was lost to another request meanwhile; then nothing is written.
 */
export async function insertUpload(sql: Sql, upload: NewUpload): Promise<boolean | undefined> {
  const { document, mark } = upload;
  const [row] = await sql<{ alive: boolean }[]>`
    with mark as (${isMarkHeld(sql, mark, upload.uploadId)}),
    kept as (
      insert into document (sha256, content_gzip, size)
      select ${document.sha256}, ${document.contentGzip}::bytea, ${document.size}::int from mark
      on conflict (sha256) do update set created_at = now()
    ), drawn as (
      insert into publication as p (store_id, integration_id, last_seq)
      select ${upload.storeId}::bigint, ${upload.integrationId}::bigint, 1 from mark
      on conflict (store_id, integration_id) do update set last_seq = p.last_seq + 1
      returning p.last_seq, coalesce(p.alive_until > clock_timestamp(), false) as alive
    ), made as (
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, skip_unchanged, awaited_until)
      select ${upload.uploadId}, ${upload.storeId}::bigint, ${upload.integrationId}::bigint,
        last_seq, ${upload.userId}, ${upload.requestId}, ${document.sha256}, ${upload.skipUnchanged},
        now() + nullif(${upload.waitMs}::int, 0) * interval '1 ms'
      from drawn
    )
    select alive from drawn`;
  return row?.alive;
}

export interface UploadOutcomeRow {
  readonly uploadId: UploadId;
  readonly state: UploadState;
  readonly messages: readonly string[];
  /** Only of a failed upload: what blocked it may be among them. */
  readonly losses: readonly Loss[];
}

export async function findUploadOutcome(
  sql: Sql,
  uploadId: UploadId,
): Promise<UploadOutcomeRow | undefined> {
  const [row] = await sql<UploadOutcomeRow[]>`
    select upload_id, state, messages, case when state = 'failed' then losses else '[]' end as losses
    from menu_upload where upload_id = ${uploadId}`;
  return row;
}

/** Another caller waits for the upload, for `waitMs`; without effect on one that has ended. */
export async function awaitUpload(sql: Sql, uploadId: UploadId, waitMs: number): Promise<void> {
  await sql`
    update menu_upload
    set awaited_until = greatest(awaited_until, now() + ${waitMs}::int * interval '1 ms')
    where upload_id = ${uploadId} and state in ('queued', 'running')`;
}

/** Which payload the menu became and what it lost on the way. False = not the running attempt any more. */
export async function recordTransform(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
  payload: Document,
  { losses, lossCounts }: Pick<PreparedMenu, 'losses' | 'lossCounts'>,
): Promise<boolean> {
  const rows = await sql`
    with kept as (
      insert into document (sha256, content_gzip, size)
      values (${payload.sha256}, ${payload.contentGzip}::bytea, ${payload.size}::int)
      on conflict (sha256) do update set created_at = now()
    )
    update menu_upload set payload_sha256 = ${payload.sha256},
      losses = ${JSON.stringify(losses)}::text::json,
      loss_counts = ${JSON.stringify(lossCounts)}::text::json
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'
    returning upload_id`;
  return rows.length > 0;
}

/** Keeps what a step found out, for `finishUpload`; it never travels through the workflow. */
export async function recordVerdict(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
  verdict: UploadVerdict,
): Promise<void> {
  await sql`
    update menu_upload set verdict = ${JSON.stringify(verdict)}::text::json
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'`;
}

export async function findVerdict(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
): Promise<UploadVerdict | undefined> {
  const [row] = await sql<{ verdict: UploadVerdict | null }[]>`
    select verdict from menu_upload
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'`;
  return row?.verdict ?? undefined;
}

/**
 * Ends an upload, remembers what is live, frees the app's slot and tells whoever waits.
 * Only the running attempt may: false means that another attempt, or a newer menu, has taken over.
 */
export async function finishUpload(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
  outcome: { state: FinalUploadState; messages: readonly string[] },
): Promise<boolean> {
  const [row] = await sql<{ ended: number }[]>`
    with ended as (
      update menu_upload set state = ${outcome.state}, finished_at = now(), next_attempt_at = null,
        messages = ${JSON.stringify(outcome.messages)}::text::json
      where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'
      returning *
    ), published as (
      update publication p set
        live_upload_id = case when e.state = 'failed' then p.live_upload_id else e.upload_id end,
        live_document_sha256 = case e.state when 'failed' then p.live_document_sha256
          when 'uploaded' then e.document_sha256 else null end,
        slot_until = case when p.slot_upload_id = e.upload_id then null else p.slot_until end,
        push_until = null
      from ended e where p.store_id = e.store_id and p.integration_id = e.integration_id
    ), steps as (
      update upload_step s set state = 'skipped', finished_at = now() from ended e
      where s.upload_id = e.upload_id and s.state in ('pending', 'running')
    ), told as (
      ${notifyRowsDone(sql, sql`select upload_id as id from ended where awaited_until > now()`)}
    )
    select (select count(*) from ended)::int as ended, (select count(*) from told) as told`;
  return (row?.ended ?? 0) > 0;
}

export interface RetryFacts {
  readonly ageMs: number;
  /** Attempts that came to a try of the app; the others only waited for their turn. */
  readonly rounds: number;
  /** Why the last round failed, and how long the app asked us to stay away. */
  readonly retryReason: string | null;
  readonly retryAfterMs: number | null;
}

export async function findRetryFacts(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
): Promise<RetryFacts | undefined> {
  const [row] = await sql<RetryFacts[]>`
    select (extract(epoch from now() - created_at) * 1000)::float8 as age_ms,
      attempt_no - turns_waited as rounds,
      retry_reason, retry_after_ms
    from menu_upload
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'`;
  return row;
}

/** Why a round came to nothing, for the status and for the plan of the next one. */
export async function recordRetryReason(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
  reason: string,
  afterMs: number | null,
): Promise<void> {
  await sql`
    update menu_upload set retry_reason = ${reason}, retry_after_ms = ${afterMs}::int
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'`;
}

/** Sends an upload back to wait; it stays the newest until a newer one comes. */
export async function postponeUpload(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
  delayMs: number,
): Promise<boolean> {
  const rows = await sql`
    update menu_upload set next_attempt_at = now() + ${delayMs}::int * interval '1 ms'
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'
    returning upload_id`;
  return rows.length > 0;
}

/** Whether the attempt is still the one that may act. */
export async function isRunningAttempt(
  sql: Sql,
  uploadId: UploadId,
  attemptNo: number,
): Promise<boolean> {
  const rows = await sql`
    select from menu_upload
    where upload_id = ${uploadId} and attempt_no = ${attemptNo} and state = 'running'`;
  return rows.length > 0;
}

/** A place among the uploads that ended, in their order. The time is Postgres' own text of it, to the microsecond. */
export interface UploadPlace {
  readonly finishedAt: string;
  readonly uploadId: string;
}

export interface RemovedUploads {
  readonly looked: number;
  readonly removed: number;
  /** The last one at which it looked; null when there was none. */
  readonly upTo: UploadPlace | null;
}

/**
 * Looks at up to `limit` uploads behind `from` that ended before the retention, oldest first, and removes all but those
 * that are live. Live ones pile up at the old end, so a caller goes on from where it was.
 */
export async function removeExpiredUploads(
  sql: Sql,
  days: number,
  limit: number,
  { finishedAt, uploadId }: UploadPlace = { finishedAt: '-infinity', uploadId: '' },
): Promise<RemovedUploads> {
  const [row] = await sql<{ looked: number; removed: number; last: UploadPlace | null }[]>`
    with old as (
      select upload_id, store_id, integration_id, finished_at from menu_upload
      where finished_at >= ${finishedAt}::timestamptz
        and (finished_at, upload_id) > (${finishedAt}::timestamptz, ${uploadId})
        and finished_at < now() - ${days}::int * interval '1 day'
      order by finished_at, upload_id limit ${limit} for update skip locked
    ), removed as (
      delete from menu_upload u using old
      where u.upload_id = old.upload_id
        and not exists (select from publication p
          where p.store_id = old.store_id and p.integration_id = old.integration_id
            and p.live_upload_id = old.upload_id)
      returning u.upload_id
    )
    select (select count(*) from old) as looked, (select count(*) from removed) as removed,
      (select json_build_object('finishedAt', finished_at::text, 'uploadId', upload_id) from old
        order by finished_at desc, upload_id desc limit 1) as last`;
  return { looked: row?.looked ?? 0, removed: row?.removed ?? 0, upTo: row?.last ?? null };
}
