import { type HeldKey, bindHeldKey } from '../../http/sql/idempotency';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import type { UploadId, UserId } from '../../platform/ids';
import { type Document, keepDocument } from '../../uploads/sql/documents';
import type { RolloutId } from './rollouts';

/** A target's ids, if they could be parsed. */
export interface TargetPlace {
  readonly position: number;
  readonly storeId: number | null;
  readonly integrationId: number | null;
}

/** The facts that decide, when a rollout is accepted, whether a target gets an upload. */
export interface TargetAccess {
  readonly position: number;
  readonly storeExists: boolean;
  /** The user has the store, or is an operator. */
  readonly isAllowed: boolean;
  /** The integration exists and is active. */
  readonly isActive: boolean;
  /** The store is connected to the integration. */
  readonly isConnected: boolean;
  readonly hasTimeZone: boolean;
}

/** One row for each of `places`, in their order. */
export async function listTargetAccess(
  sql: Sql,
  viewer: { readonly userId: UserId; readonly seesAll: boolean },
  places: readonly TargetPlace[],
): Promise<TargetAccess[]> {
  return sql<TargetAccess[]>`
    select g.position, s.store_id is not null as store_exists,
      ${viewer.seesAll}::boolean or us.user_id is not null as is_allowed,
      coalesce(i.active, false) as is_active, c.store_id is not null as is_connected,
      s.time_zone is not null as has_time_zone
    from unnest(
        ${places.map((each) => each.position)}::int[],
        ${places.map((each) => each.storeId)}::bigint[],
        ${places.map((each) => each.integrationId)}::bigint[])
      as g (position, store_id, integration_id)
    left join store s on s.store_id = g.store_id and s.deleted_at is null
    left join user_store us on us.store_id = g.store_id and us.user_id = ${viewer.userId}
    left join integration i on i.integration_id = g.integration_id
    left join store_integration c
      on c.store_id = g.store_id and c.integration_id = g.integration_id
    order by g.position`;
}

export interface NewTarget extends TargetPlace {
  /** The two ids as they were sent, as JSON text of an object. */
  readonly sent: string;
  /** Null if refused. */
  readonly uploadId: UploadId | null;
  readonly refusal: string | null;
}

export interface NewRollout {
  readonly rolloutId: RolloutId;
  readonly userId: UserId;
  readonly requestId: string;
  readonly parallel: number;
  readonly stopAfterFailures: number;
  readonly menuCount: number;
  readonly document: Document;
  /** JSON text of an object. */
  readonly sentBeside: string;
  readonly targets: readonly NewTarget[];
  readonly heldKey: HeldKey | null;
}

/**
 * Writes the menu, the rollout and its targets in one statement. Each accepted target gets a held upload, which takes
 * its place in the store's queue now. Publications are always entered in the same order, so that two rollouts cannot
 * deadlock. False = the idempotency key was lost, and nothing is written.
 */
export async function insertRollout(sql: Sql, rollout: NewRollout): Promise<boolean> {
  const { rolloutId, document, targets, heldKey } = rollout;
  const rows = await sql<{ made: number }[]>`
    with held_key as (${bindHeldKey(sql, heldKey, rolloutId)}),
    given as (
      select g.* from held_key, unnest(
          ${targets.map((each) => each.position)}::int[],
          ${targets.map((each) => each.sent)}::text[],
          ${targets.map((each) => each.storeId)}::bigint[],
          ${targets.map((each) => each.integrationId)}::bigint[],
          ${targets.map((each) => each.uploadId)}::text[],
          ${targets.map((each) => each.refusal)}::text[])
        as g (position, sent, store_id, integration_id, upload_id, refusal)
    ), kept as (${keepDocument(sql, document, sql`from held_key`)}), made as (
      insert into rollout (rollout_id, user_id, request_id, parallel, stop_after_failures,
        menu_count, sent_beside)
      select ${rolloutId}, ${rollout.userId}, ${rollout.requestId}, ${rollout.parallel}::int,
        ${rollout.stopAfterFailures}::int, ${rollout.menuCount}::int,
        ${rollout.sentBeside}::text::json
      from held_key
      returning rollout_id
    ), drawn as (
      insert into publication as p (store_id, integration_id, last_seq)
      select store_id, integration_id, 1 from given where upload_id is not null
      order by store_id, integration_id
      on conflict (store_id, integration_id) do update set last_seq = p.last_seq + 1
      returning p.store_id, p.integration_id, p.last_seq
    ), uploads as (
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, sent_beside, rollout_id, held)
      select g.upload_id, d.store_id, d.integration_id, d.last_seq, ${rollout.userId},
        ${rollout.requestId}, ${document.sha256}, g.sent::json, ${rolloutId}, true
      from given g join drawn d using (store_id, integration_id)
      where g.upload_id is not null
    ), targets as (
      insert into rollout_target (rollout_id, position, sent, store_id, integration_id, upload_id,
        refusal)
      select rollout_id, position, sent::json, store_id, integration_id, upload_id,
        case when refusal is not null then json_build_array(refusal) end
      from given, made
    )
    select count(*)::int as made from made`;
  return onlyRow(rows).made > 0;
}
