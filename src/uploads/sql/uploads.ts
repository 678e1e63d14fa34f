import type { Loss } from '../../delivery-apps/types';
import type { UploadState } from '../upload';
import type { UploadId, UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { isLeased } from '../../platform/queue/lease';
import { currentTraceParent } from '../../platform/observe/tracing';
import { type Document, keepDocument } from './documents';
import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';
import type { PublicationKey } from './publications';

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
  /** How long the caller waits, ms; 0 = not at all, so the end of the upload need not be announced. */
  readonly waitMs: number;
  readonly heldKey: HeldKey | null;
}

/**
 * Writes document and upload, `queued` (the column's default), in one statement, and returns whether its workflow has
 * the lease. The upload continues the caller's trace. Its number is drawn under the lock of the publication's row, which
 * the workflow also takes to come to rest: so either the workflow sees this row in its last look, or this statement
 * sees no lease. Undefined if another request took the idempotency key meanwhile; then nothing is written.
 */
export async function insertUpload(sql: Sql, upload: NewUpload): Promise<boolean | undefined> {
  const { document, heldKey } = upload;
  const [row] = await sql<{ leased: boolean }[]>`
    with held_key as (${bindHeldKey(sql, heldKey, upload.uploadId)}),
    kept as (${keepDocument(sql, document, sql`from held_key`)}), drawn as (
      insert into publication as p (store_id, integration_id, last_seq)
      select ${upload.storeId}::bigint, ${upload.integrationId}::bigint, 1 from held_key
      on conflict (store_id, integration_id) do update set last_seq = p.last_seq + 1
      returning p.last_seq, ${isLeased(sql, sql`p.`)} as leased
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
    select leased from drawn`;
  return row?.leased;
}

export interface UploadOutcomeRow {
  readonly uploadId: UploadId;
  readonly state: UploadState;
  readonly messages: readonly string[];
  /** Only for a failed upload: they may include the loss that blocked it. */
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
