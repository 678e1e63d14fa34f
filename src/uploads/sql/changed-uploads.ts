import type { WantedChanges } from '../../menus/wanted-changes/wanted-changes';
import { type AttemptKey, isCurrentAttempt } from './upload-attempts';
import type { ChangeWay, UploadState } from '../upload';
import type { MenuChangeRequestId, UploadId, UserId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { isLeased } from '../../platform/queue/lease';
import { currentTraceParent } from '../../platform/observe/tracing';
import { bindHeldKey, type HeldKey } from '../../http/sql/idempotency';
import { type Document, keepDocument } from './documents';
import type { PublicationKey, ToWake } from './publications';
import type { UploadVersion } from './upload-versions';

/** The menu on which a change is made, and the last number drawn when it was read. */
export interface ChangeBase extends UploadVersion {
  readonly lastSeq: number;
}

/**
 * The newest menu that waits or is on its way to the app, else the live one. Those that a rollout holds are left out:
 * their time has not come. Undefined: neither.
 */
export async function findChangeBase(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
): Promise<ChangeBase | undefined> {
  const [row] = await sql<ChangeBase[]>`
    select u.upload_id, u.store_id, u.integration_id, u.document_sha256, d.size as document_size,
      u.sent_beside::text as sent_beside, o.sent_beside::text as rollout_beside,
      u.payload_sha256, 0 as payload_size, p.last_seq
    from publication p
    join menu_upload u on u.upload_id = coalesce((
      select n.upload_id from menu_upload n
      where n.store_id = p.store_id and n.integration_id = p.integration_id
        and n.state in ('queued', 'running') and not n.held and n.refusal is null
      order by n.seq desc limit 1), p.live_upload_id)
    join document d on d.sha256 = u.document_sha256
    left join rollout o on o.rollout_id = u.rollout_id and u.republished_from is null
    where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint`;
  return row;
}

/** The integrations of a store that show a menu, or get one. */
export async function listChangeableIntegrations(sql: Sql, storeId: number): Promise<number[]> {
  const rows = await sql<{ integrationId: number }[]>`
    select c.integration_id from store_integration c join publication p using (store_id, integration_id)
    where c.store_id = ${storeId}::bigint and (p.live_upload_id is not null or exists (
      select from menu_upload n
      where n.store_id = p.store_id and n.integration_id = p.integration_id
        and n.state in ('queued', 'running') and not n.held))
    order by c.integration_id`;
  return rows.map((row) => row.integrationId);
}

/** A change of single items for one integration: a new version of its menu. */
export interface NewChange {
  readonly uploadId: UploadId;
  readonly key: PublicationKey;
  readonly base: Pick<ChangeBase, 'uploadId' | 'lastSeq'>;
  readonly document: Document;
  readonly sentBeside: string;
}

export interface NewChangeRequest {
  readonly changeRequestId: MenuChangeRequestId;
  readonly userId: UserId;
  readonly requestId: string;
  /** JSON text: what was asked, as `WantedChanges`. */
  readonly changes: string;
  /** The integrations that the request cannot change. */
  readonly refusals: readonly ChangeRefusal[];
  readonly waitMs: number;
  readonly heldKey: HeldKey | null;
}

export interface ChangeRefusal {
  readonly integration_id: string;
  readonly messages: readonly string[];
}

/** Another menu was accepted, or the base has failed: the change must be made anew. */
export class StaleBaseError extends Error {
  constructor() {
    super('the menu that was to be changed is not the newest any more');
  }
}

/**
 * Writes the uploads of one request, each only if no other menu was accepted since its base was read. Undefined if
 * another request took the idempotency key meanwhile; then nothing is written. Throws a `StaleBaseError`.
 */
export async function insertChanges(
  sql: Sql,
  request: NewChangeRequest,
  changes: readonly NewChange[],
): Promise<readonly ToWake[] | undefined> {
  // Always in the same order, so that two requests cannot deadlock.
  const inOrder = changes.toSorted((one, other) => one.key.integrationId - other.key.integrationId);
  return sql.begin(async (tx) => {
    const [held] = await bindHeldKey(tx, request.heldKey, request.changeRequestId);
    if (!held) return undefined;
    const accepted: ToWake[] = [];
    for (const [index, change] of inOrder.entries()) {
      const leased = await insertChange(tx, request, change, index === 0);
      accepted.push({ key: change.key, leased });
    }
    return accepted;
  });
}

async function insertChange(
  tx: Transaction,
  request: NewChangeRequest,
  { uploadId, key, base, document, sentBeside }: NewChange,
  isFirst: boolean,
): Promise<boolean> {
  const refusals = isFirst ? JSON.stringify(request.refusals) : null;
  const [row] = await tx<{ leased: boolean }[]>`
    with drawn as (
      update publication p set last_seq = p.last_seq + 1
      where p.store_id = ${key.storeId}::bigint and p.integration_id = ${key.integrationId}::bigint
        and p.last_seq = ${base.lastSeq}::bigint
        and exists (select from menu_upload b
          where b.upload_id = ${base.uploadId}
            and (b.upload_id = p.live_upload_id or b.state not in ('failed', 'canceled')))
      returning p.last_seq, ${isLeased(tx, tx`p.`)} as leased
    ), kept as (${keepDocument(tx, document, tx`from drawn`)}), made as (
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, sent_beside, changed_from, changes, change_request_id, change_refusals,
        trace_parent, awaited_until)
      select ${uploadId}, ${key.storeId}::bigint, ${key.integrationId}::bigint, last_seq,
        ${request.userId}, ${request.requestId}, ${document.sha256}, ${sentBeside}::text::json,
        ${base.uploadId}, ${request.changes}::text::json, ${request.changeRequestId},
        ${refusals}::text::json, ${currentTraceParent()},
        now() + nullif(${request.waitMs}::int, 0) * interval '1 ms'
      from drawn
    )
    select leased from drawn`;
  if (!row) throw new StaleBaseError();
  return row.leased;
}

/** A change, or the upload below it: one on whose menu it was made. */
export interface ChangeBelow {
  readonly uploadId: UploadId;
  readonly state: UploadState;
  /** What it changed; null: it is no change. */
  readonly changes: WantedChanges | null;
}

/**
 * A change and what lies below it, the newest first: down to the first upload that was not replaced by the one above it.
 */
export async function listChangesBelow(sql: Sql, uploadId: UploadId): Promise<ChangeBelow[]> {
  return sql<ChangeBelow[]>`
    with recursive line as (
      select u.upload_id, u.state, u.changes, u.changed_from, 0 as depth
      from menu_upload u where u.upload_id = ${uploadId}
      union all
      select b.upload_id, b.state, b.changes, b.changed_from, l.depth + 1
      from line l join menu_upload b on b.upload_id = l.changed_from
      where l.depth = 0 or l.state = 'superseded'
    )
    select upload_id, state, changes from line order by depth`;
}

/** Of a publication, the menu that is live. */
export interface KeptLiveMenu {
  readonly uploadId: UploadId;
  readonly sha256: string;
  readonly size: number;
}

export async function findLiveMenu(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
): Promise<KeptLiveMenu | undefined> {
  const [row] = await sql<KeptLiveMenu[]>`
    select u.upload_id, d.sha256, d.size
    from publication p join menu_upload u on u.upload_id = p.live_upload_id
      join document d on d.sha256 = u.document_sha256
    where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint`;
  return row;
}

/** A change is made on another menu now. False = another attempt has taken over. */
export async function recordNewBase(
  sql: Sql,
  attempt: AttemptKey,
  base: UploadId,
  document: Document,
): Promise<boolean> {
  const rows = await sql`
    with kept as (${keepDocument(sql, document)})
    update menu_upload u set document_sha256 = ${document.sha256}, changed_from = ${base}
    where ${isCurrentAttempt(sql, attempt)}
    returning u.upload_id`;
  return rows.length > 0;
}

/** How a change of one integration is. */
export interface ChangedUpload {
  readonly uploadId: UploadId;
  readonly integrationId: number;
  readonly state: UploadState;
  readonly way: ChangeWay | null;
  readonly messages: readonly string[];
  readonly changeRefusals: readonly ChangeRefusal[] | null;
}

/** The uploads of a request, by integration. */
export async function listChangedUploads(
  sql: Sql,
  changeRequestId: MenuChangeRequestId,
): Promise<ChangedUpload[]> {
  return sql<ChangedUpload[]>`
    select upload_id, integration_id, state, way, messages, change_refusals from menu_upload
    where change_request_id = ${changeRequestId} order by integration_id`;
}

/** Another caller waits for the uploads of a request, unless they have ended. Returns their publications. */
export async function awaitChangedUploads(
  sql: Sql,
  changeRequestId: MenuChangeRequestId,
  waitMs: number,
): Promise<readonly ToWake[]> {
  const rows = await sql<PublicationKey[]>`
    with awaited as (
      update menu_upload
      set awaited_until = greatest(awaited_until, now() + ${waitMs}::int * interval '1 ms')
      where change_request_id = ${changeRequestId} and state in ('queued', 'running')
    )
    select store_id, integration_id from menu_upload where change_request_id = ${changeRequestId}`;
  // The process of the earlier try may have died before it woke them.
  return rows.map(({ storeId, integrationId }) => ({
    key: { storeId, integrationId },
    leased: false,
  }));
}
