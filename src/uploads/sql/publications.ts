import { cancelWaiting, waitId } from './upload-cancel';
import { skipOpenSteps } from './upload-steps';
import { describeWait } from '../../contract/why-it-waits';
import { decideClaim, type ClaimDecision, type Slot, type UnfinishedUpload } from '../upload';
import { SUPERSEDED_MESSAGE } from '../upload-verdict';
import type { UploadId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { leaseIsTaken } from '../../platform/queue/lease';
import { notifyRowsDone } from '../../platform/db/row-done';

export interface PublicationKey {
  readonly storeId: number;
  readonly integrationId: number;
}

/** A publication, or its availability queue, with something to do. */
export interface ToWake {
  readonly key: PublicationKey;
  /** Whether its workflow has the lease. */
  readonly leased: boolean;
}

export type Claim =
  | { readonly kind: 'idle' }
  /** `summary`: a sentence for people that says why, and until when. */
  | { readonly kind: 'wait'; readonly ms: number; readonly summary: string }
  | {
      /** `confirm`: the app works on its task already, so it is polled instead of pushed again. */
      readonly kind: 'publish' | 'confirm';
      readonly uploadId: UploadId;
      readonly attemptNo: number;
      readonly requestId: string;
      /** Only its push is left: it was waiting for a permit, or it pushes again what was live before it. */
      readonly isPrepared: boolean;
    };

type RunningUpload = Omit<Extract<Claim, { kind: 'publish' | 'confirm' }>, 'kind'>;

interface PublicationRow {
  readonly claimedSeq: number;
  readonly slotUploadId: UploadId | null;
  readonly slotUntil: number | null;
  readonly now: number;
  readonly storeIsDeleted: boolean;
}

/**
 * Takes the newest waiting upload of a store and integration, ends every older one `superseded`, and takes
 * the lease (`lease_until`). A second claim of a running upload raises its attempt number, which fences the first.
 * With `idle` and `wait` the lease is given back, so that an insert wakes, which also ends a wait. An insert takes
 * the lock of the publication's row, too: it comes before the look and is seen, or it comes later, finds no lease and
 * wakes.
 */
export async function claimNewestUpload(
  sql: Sql,
  key: PublicationKey,
  runId: string,
): Promise<Claim> {
  const only = await claimTheOnlyOne(sql, key, runId);
  if (only) return { kind: 'publish', ...only };
  // The lease is given back before the query, so finding nothing needs no lock.
  await giveLeaseBack(sql, key);
  if ((await listUnfinished(sql, key)).length === 0) return { kind: 'idle' };
  return sql.begin(async (tx): Promise<Claim> => {
    const publication = await lockPublication(tx, key);
    if (!publication) return { kind: 'idle' };
    if (publication.storeIsDeleted) await cancelWaitingOf(tx, key.storeId);
    const unfinished = await listUnfinished(tx, key);
    const slot: Slot | null =
      publication.slotUploadId === null
        ? null
        : { uploadId: publication.slotUploadId, until: publication.slotUntil ?? 0 };
    const decision = decideClaim(unfinished, publication.claimedSeq, slot, publication.now);
    await endSuperseded(tx, decision);
    switch (decision.kind) {
      case 'idle':
        await giveLeaseBack(tx, key);
        return { kind: 'idle' };
      case 'wait': {
        await giveLeaseBack(tx, key);
        const until = new Date(publication.now + decision.ms).toISOString();
        const summary = describeWait(decision.why, until);
        return { kind: 'wait', ms: decision.ms, summary };
      }
      case 'publish':
      case 'confirm': {
        const claimed = await markRunning(tx, decision.uploadId, runId);
        // It was canceled at this very moment; there may be another one.
        return claimed
          ? { kind: decision.kind, ...claimed }
          : { kind: 'wait', ms: 0, summary: 'The menu was canceled.' };
      }
    }
  });
}

/**
 * The common case of `decideClaim` in one statement: a single upload waits, is untried and not held, and no slot is
 * taken. Undefined = not that case. Its number is the last one drawn, read under the lock, so no other upload can have
 * been missed.
 */
async function claimTheOnlyOne(
  sql: Sql,
  { storeId, integrationId }: PublicationKey,
  runId: string,
): Promise<RunningUpload | undefined> {
  const [row] = await sql<RunningUpload[]>`
    with free as (
      select p.store_id, p.integration_id, p.last_seq from publication p
      where p.store_id = ${storeId}::bigint and p.integration_id = ${integrationId}::bigint
        and coalesce(greatest(p.slot_until, p.slot_settles_until) <= now(), true)
        and not exists (
          select from store s where s.store_id = p.store_id and s.deleted_at is not null)
      for no key update of p
    ), claimed as (
      update menu_upload u set state = 'running', attempt_no = u.attempt_no + 1, messages = '[]',
        run_id = ${runId}
      from free f
      where u.store_id = f.store_id and u.integration_id = f.integration_id and u.seq = f.last_seq
        and u.state = 'queued' and not u.held
        and not exists (
          select from menu_upload o
          where o.store_id = f.store_id and o.integration_id = f.integration_id
            and o.state in ('queued', 'running') and o.seq <> f.last_seq)
      returning u.*
    ), raised as (
      update publication p set ${leaseIsTaken(sql)}, claimed_seq = c.seq
      from claimed c where p.store_id = c.store_id and p.integration_id = c.integration_id
    )
    select upload_id, attempt_no, request_id, false as is_prepared from claimed`;
  return row;
}

async function giveLeaseBack(
  sql: Sql | Transaction,
  { storeId, integrationId }: PublicationKey,
): Promise<void> {
  await sql`
    update publication set lease_until = null
    where store_id = ${storeId}::bigint and integration_id = ${integrationId}::bigint`;
}

async function lockPublication(
  tx: Transaction,
  key: PublicationKey,
): Promise<PublicationRow | undefined> {
  const [row] = await tx<PublicationRow[]>`
    update publication set ${leaseIsTaken(tx)}
    where store_id = ${key.storeId}::bigint and integration_id = ${key.integrationId}::bigint
    returning claimed_seq, slot_upload_id,
      (extract(epoch from greatest(slot_until, slot_settles_until)) * 1000)::float8 as slot_until,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
      exists (select from store s
        where s.store_id = publication.store_id and s.deleted_at is not null) as store_is_deleted`;
  return row;
}

/** For uploads that were put back to wait after their store was deleted, or arrived at that very moment. */
async function cancelWaitingOf(tx: Transaction, storeId: number): Promise<void> {
  await tx`
    with ended as (${cancelWaiting(tx, tx`select ${storeId}::bigint as store_id`)}),
    skipped as (${skipOpenSteps(tx, tx`select upload_id from ended`)})
    ${notifyRowsDone(tx, tx`select ${waitId(tx)} as id from ended where awaited_until > now()`)}`;
}

/** `running` ones are there too: they wait for their next round or a permit, or their worker died. */
async function listUnfinished(
  sql: Sql | Transaction,
  key: PublicationKey,
): Promise<UnfinishedUpload[]> {
  return sql<UnfinishedUpload[]>`
    select upload_id, seq, task_id, waits_for, held,
      (extract(epoch from next_attempt_at) * 1000)::float8 as next_attempt_at
    from menu_upload
    where store_id = ${key.storeId}::bigint and integration_id = ${key.integrationId}::bigint
      and state in ('queued', 'running')`;
}

async function endSuperseded(tx: Transaction, decision: ClaimDecision): Promise<void> {
  if (!('supersede' in decision) || decision.supersede.length === 0) return;
  await tx`
    with ended as (
      update menu_upload set state = 'superseded', finished_at = now(), next_attempt_at = null,
        messages = ${JSON.stringify([SUPERSEDED_MESSAGE])}::text::json
      where upload_id = any(${[...decision.supersede]}::text[]) and state in ('queued', 'running')
      returning upload_id, change_request_id, awaited_until
    ), skipped as (${skipOpenSteps(tx, tx`select upload_id from ended`)})
    ${notifyRowsDone(tx, tx`select ${waitId(tx)} as id from ended where awaited_until > now()`)}`;
}

async function markRunning(
  tx: Transaction,
  uploadId: UploadId,
  runId: string,
): Promise<RunningUpload | undefined> {
  const [row] = await tx<RunningUpload[]>`
    with before as (
      select u.waits_for, coalesce(u.app, i.app) = i.app as is_of_app
      from menu_upload u join integration i using (integration_id) where u.upload_id = ${uploadId}
    ), claimed as (
      update menu_upload set state = 'running', attempt_no = attempt_no + 1, next_attempt_at = null,
        retry_after_ms = null, messages = '[]', run_id = ${runId},
        -- Of a task it is when people at the app are asked next.
        next_try_at = case when task_id is not null then next_try_at end,
        -- What the app said last holds until it says something else; a permit or a token is there now.
        wait_reason = case when waits_for is null then wait_reason end, waits_for = null
      where upload_id = ${uploadId} and state in ('queued', 'running')
      returning *
    ), raised as (
      update publication p set claimed_seq = greatest(p.claimed_seq, c.seq) from claimed c
      where p.store_id = c.store_id and p.integration_id = c.integration_id
    )
    select upload_id, attempt_no, request_id,
      (coalesce(waits_for_before like 'push/%', false) or refusal is not null) and is_of_app as is_prepared
    from claimed, (select waits_for as waits_for_before, is_of_app from before) as before`;
  return row;
}
