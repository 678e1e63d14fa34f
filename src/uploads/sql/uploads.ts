import type { Loss } from '../../delivery-apps/types';
import type { FinalUploadState, UploadState } from '../upload';
import type { UploadId, UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { currentTraceParent } from '../../platform/observe/tracing';
import type { Document } from './documents';
import { type HeldKey, isKeyHeld } from '../../http/sql/idempotency';
import type { PublicationKey } from './publications';
import { isInUse } from './versions-in-use';

export interface NewUpload {
  readonly uploadId: UploadId;
  readonly storeId: number;
  readonly integrationId: number;
  readonly userId: UserId;
  readonly requestId: string;
  readonly document: Document;
  /** JSON text of an object: the members of the body other than the four lists of the menu. */
  readonly sentBeside: string;
  readonly skipUnchanged: boolean;
  /** The upload whose menu is published again. */
  readonly republishedFrom: UploadId | null;
  /** How long the caller waits, ms; 0 = not at all, so no notification is needed. */
  readonly waitMs: number;
  readonly heldKey: HeldKey | null;
}

/**
 * Writes document and upload in one statement, and returns whether the workflow is alive. The upload continues the
 * caller's trace. Its number is drawn under the lock of the publication's row, which the workflow also takes to come to
 * rest: so either the workflow sees this row in its last look, or this statement sees that it is not alive. Undefined
 * if another request took the idempotency key meanwhile; then nothing is written.
 */
export async function insertUpload(sql: Sql, upload: NewUpload): Promise<boolean | undefined> {
  const { document, heldKey } = upload;
  const [row] = await sql<{ alive: boolean }[]>`
    with held_key as (${isKeyHeld(sql, heldKey, upload.uploadId)}),
    kept as (
      insert into document (sha256, content_gzip, size)
      select ${document.sha256}, ${document.contentGzip}::bytea, ${document.size}::int from held_key
      on conflict (sha256) do update set created_at = now()
    ), drawn as (
      insert into publication as p (store_id, integration_id, last_seq)
      select ${upload.storeId}::bigint, ${upload.integrationId}::bigint, 1 from held_key
      on conflict (store_id, integration_id) do update set last_seq = p.last_seq + 1
      returning p.last_seq, coalesce(p.alive_until > clock_timestamp(), false) as alive
    ), made as (
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, sent_beside, skip_unchanged, republished_from, trace_parent, awaited_until)
      select ${upload.uploadId}, ${upload.storeId}::bigint, ${upload.integrationId}::bigint,
        last_seq, ${upload.userId}, ${upload.requestId}, ${document.sha256},
        ${upload.sentBeside}::text::json, ${upload.skipUnchanged}, ${upload.republishedFrom},
        ${currentTraceParent()},
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
  /** Only for a failed upload: they may include the loss that blocked it. */
  readonly losses: readonly Loss[];
}

/** Of an upload that has ended. */
export type EndedOutcomeRow = UploadOutcomeRow & { readonly state: FinalUploadState };

export async function findUploadOutcome(
  sql: Sql,
  uploadId: UploadId,
): Promise<UploadOutcomeRow | undefined> {
  const [row] = await sql<UploadOutcomeRow[]>`
    select upload_id, state, messages, case when state = 'failed' then losses else '[]' end as losses
    from menu_upload where upload_id = ${uploadId}`;
  return row;
}

/**
 * Another caller waits for the upload, for `waitMs`, unless it has ended. Returns its publication; undefined = there is
 * no such upload (any more).
 */
export async function awaitUpload(
  sql: Sql,
  uploadId: UploadId,
  waitMs: number,
): Promise<PublicationKey | undefined> {
  const [key] = await sql<PublicationKey[]>`
    with awaited as (
      update menu_upload
      set awaited_until = greatest(awaited_until, now() + ${waitMs}::int * interval '1 ms')
      where upload_id = ${uploadId} and state in ('queued', 'running')
    )
    select store_id, integration_id from menu_upload where upload_id = ${uploadId}`;
  return key;
}

/** A position among the ended uploads, in their order. The time is Postgres' own text, to the microsecond. */
export interface UploadPlace {
  readonly finishedAt: string;
  readonly uploadId: string;
}

export interface RemovedUploads {
  readonly looked: number;
  readonly removed: number;
  /** The last upload that it checked; null if there was none. */
  readonly upTo: UploadPlace | null;
}

/**
 * Checks up to `limit` uploads after `from` that ended before the retention, oldest first, and removes those not in
 * use. The ones in use accumulate at the old end, so the next call continues from `upTo`.
 */
export async function removeExpiredUploads(
  sql: Sql,
  days: number,
  limit: number,
  { finishedAt, uploadId }: UploadPlace = { finishedAt: '-infinity', uploadId: '' },
): Promise<RemovedUploads> {
  const rows = await sql<{ looked: number; removed: number; last: UploadPlace | null }[]>`
    with old as (
      select upload_id, finished_at from menu_upload
      where finished_at >= ${finishedAt}::timestamptz
        and (finished_at, upload_id) > (${finishedAt}::timestamptz, ${uploadId})
        and finished_at < now() - ${days}::int * interval '1 day'
      order by finished_at, upload_id limit ${limit} for update skip locked
    ), removed as (
      delete from menu_upload u using old
      where u.upload_id = old.upload_id
        and not ${isInUse(sql)}
      returning u.upload_id
    )
    select (select count(*) from old) as looked, (select count(*) from removed) as removed,
      (select json_build_object('finishedAt', finished_at::text, 'uploadId', upload_id) from old
        order by finished_at desc, upload_id desc limit 1) as last`;
  const { looked, removed, last } = onlyRow(rows);
  return { looked, removed, upTo: last };
}
