import type { ConnectionFacts } from '../../delivery-apps/sql/integrations';
import type { Sql } from '../../platform/db/client';
import type { UploadId } from '../../platform/ids';
import type { PublicationKey } from '../../uploads/sql/publications';
import type { RolloutId } from './rollouts';
import { connectionOf } from './rollout-targets';
import { membersOfBoth } from './members-of-both';

/** A target whose revert has not started. */
export interface RevertTarget extends PublicationKey {
  readonly position: number;
  readonly uploadId: UploadId;
  /**
   * The app shows the rollout's menu, and no other menu waits for it. One that a later rollout has held since before the
   * revert is replaced.
   */
  readonly isLive: boolean;
  /** The number of the last upload that was accepted for the target; null = there is no publication. */
  readonly lastSeq: number | null;
  /** The upload that was live before; null = none, or it is gone. */
  readonly previousUploadId: UploadId | null;
  readonly storeIsDeleted: boolean;
  readonly connection: ConnectionFacts;
}

/** Skips targets whose menu is no longer live: there is nothing to revert, so they need no upload. Returns how many. */
export async function skipNotLive(sql: Sql, rolloutId: RolloutId): Promise<number> {
  const { count } = await sql`
    update rollout_target t set revert_end = 'not_live'
    where t.rollout_id = ${rolloutId} and t.revert_end is null and t.revert_upload_id is null
      and not exists (
        select from publication p
        where p.store_id = t.store_id and p.integration_id = t.integration_id
          and p.live_upload_id = t.upload_id)`;
  return count;
}

/** The next `limit` targets to revert, in the order in which they were sent. */
export async function listNextReverts(
  sql: Sql,
  rolloutId: RolloutId,
  limit: number,
): Promise<RevertTarget[]> {
  return sql<RevertTarget[]>`
    select t.position, t.store_id, t.integration_id, t.upload_id,
      p.live_upload_id is not distinct from t.upload_id and not exists (
        select from menu_upload waiting
        where waiting.store_id = t.store_id and waiting.integration_id = t.integration_id
          and waiting.state in ('queued', 'running')
          and (not waiting.held or waiting.created_at > o.revert_began_at)) as is_live,
      p.last_seq, previous.upload_id as previous_upload_id,
      s.deleted_at is not null as store_is_deleted,
      ${connectionOf(sql)} as connection
    from rollout_target t
    join rollout o using (rollout_id)
    join menu_upload u on u.upload_id = t.upload_id
    left join menu_upload previous on previous.upload_id = u.previous_upload_id
    join store s on s.store_id = t.store_id
    join integration i on i.integration_id = t.integration_id
    left join store_integration c
      on c.store_id = t.store_id and c.integration_id = t.integration_id
    left join publication p on p.store_id = t.store_id and p.integration_id = t.integration_id
    where t.rollout_id = ${rolloutId} and t.revert_end is null and t.revert_upload_id is null
    order by t.position limit ${limit}`;
}

export type RevertEnd = 'failed' | 'not_live' | 'without_previous';

/** The target is not reverted. */
export async function endRevert(
  sql: Sql,
  rolloutId: RolloutId,
  position: number,
  end: RevertEnd,
): Promise<void> {
  await sql`
    update rollout_target set revert_end = ${end}
    where rollout_id = ${rolloutId} and position = ${position}::int and revert_upload_id is null`;
}

/**
 * Accepts the menu that was live before as a new upload of the rollout's user. Does nothing if the rollout's menu is
 * no longer live, if another upload was accepted since the target was listed, which is newer than the revert, or if an
 * earlier try of this statement did it.
 */
export async function insertRevertUpload(
  sql: Sql,
  rolloutId: RolloutId,
  { position, lastSeq }: Pick<RevertTarget, 'position' | 'lastSeq'>,
  uploadId: UploadId,
): Promise<void> {
  await sql`
    with chosen as (
      select t.rollout_id, t.position, t.store_id, t.integration_id, t.upload_id,
        previous.upload_id as previous_upload_id, previous.document_sha256,
        case when earlier.rollout_id is null then previous.sent_beside
          else ${membersOfBoth(sql, sql`previous.sent_beside`, sql`earlier.sent_beside`)}
          end as sent_beside,
        o.user_id, o.request_id
      from rollout_target t
      join rollout o using (rollout_id)
      join menu_upload u on u.upload_id = t.upload_id
      join menu_upload previous on previous.upload_id = u.previous_upload_id
      left join rollout earlier on earlier.rollout_id = previous.rollout_id
        and previous.republished_from is null
      where t.rollout_id = ${rolloutId} and t.position = ${position}::int
        and t.revert_upload_id is null and t.revert_end is null
      for update of t
    ), drawn as (
      update publication p set last_seq = p.last_seq + 1
      from chosen c
      where p.store_id = c.store_id and p.integration_id = c.integration_id
        and p.live_upload_id = c.upload_id and p.last_seq = ${lastSeq}::bigint
      returning p.store_id, p.last_seq
    ), made as (
      insert into menu_upload (upload_id, store_id, integration_id, seq, user_id, request_id,
        document_sha256, sent_beside, republished_from, rollout_id)
      select ${uploadId}, c.store_id, c.integration_id, d.last_seq, c.user_id, c.request_id,
        c.document_sha256, c.sent_beside, c.previous_upload_id, c.rollout_id
      from chosen c join drawn d using (store_id)
    )
    update rollout_target t set revert_upload_id = ${uploadId} from chosen c join drawn d using (store_id)
    where t.rollout_id = c.rollout_id and t.position = c.position`;
}
