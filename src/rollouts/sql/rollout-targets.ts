import type { Sql } from '../../platform/db/client';
import { leaseIsTaken } from '../../platform/queue/lease';
import type { UploadId, UserId } from '../../platform/ids';
import type { ConnectionFacts } from '../../delivery-apps/sql/integrations';
import type { PublicationKey } from '../../uploads/sql/publications';
import { CANCELED_MESSAGE } from '../../uploads/upload-verdict';
import { REVERT_STATES, TARGET_STATES } from '../../../schemas/states';
import {
  countsOf,
  type RevertCounts,
  type RevertState,
  type RolloutState,
  type TargetCounts,
  type TargetState,
} from '../rollout';
import type { RolloutId } from './rollouts';

interface RolloutRow {
  readonly endsAs: 'stopped' | 'canceled' | null;
  readonly parallel: number;
  readonly stopAfterFailures: number;
  readonly menuCount: number;
}

/** The progress of a rollout. */
export interface TargetProgress extends RolloutRow {
  readonly state: Exclude<RolloutState, 'reverting' | 'reverted'>;
  readonly counts: TargetCounts;
  /** Targets that take one of the `parallel` permits. */
  readonly atWork: number;
}

/** The progress of a revert, with its own counts. */
export interface RevertProgress extends RolloutRow {
  readonly state: 'reverting' | 'reverted';
  readonly counts: RevertCounts;
  readonly atWork: number;
}

interface Counted<State> {
  readonly state: State;
  readonly count: number;
  readonly atWork: number;
}

export interface ClaimedRollout extends RolloutRow {
  readonly userId: UserId;
  readonly state: RolloutState;
  /** Differs once a target has started, begun or ceased to wait, or ended: a count would find something else. */
  readonly sign: string;
}

/** Takes the lease; undefined = there is no such rollout. Of its targets only the unfinished ones are read. */
export async function claimRollout(
  sql: Sql,
  rolloutId: RolloutId,
): Promise<ClaimedRollout | undefined> {
  const [row] = await sql<ClaimedRollout[]>`
    with claimed as (
      update rollout set ${leaseIsTaken(sql)}
      where rollout_id = ${rolloutId}
      returning user_id, state, ends_as, parallel, stop_after_failures, menu_count
    )
    select c.*, concat_ws('/', c.state, coalesce(c.ends_as, '-'), u.held, u.begun, u.waiting, u.tasks) as sign
    from claimed c, (
      select count(*) filter (where held) as held, count(*) filter (where not held) as begun,
        count(*) filter (where next_attempt_at > now() and waits_for is null) as waiting,
        count(task_id) as tasks
      from menu_upload where rollout_id = ${rolloutId} and state in ('queued', 'running')) as u`;
  return row;
}

/** Counts all targets of the rollout. */
export async function countTargets(
  sql: Sql,
  rolloutId: RolloutId,
  row: ClaimedRollout,
): Promise<TargetProgress | RevertProgress> {
  const { state } = row;
  if (state === 'reverting' || state === 'reverted') {
    const counted = await sql<Counted<RevertState>[]>`
      select revert_state as state, count(*)::int as count,
        count(*) filter (where is_revert_at_work)::int as at_work
      from rollout_target_state t where t.rollout_id = ${rolloutId} group by 1`;
    return { ...row, state, counts: countsOf(REVERT_STATES, counted), atWork: atWorkOf(counted) };
  }
  const counted = await sql<Counted<TargetState>[]>`
    select state, count(*)::int as count, count(*) filter (where is_at_work)::int as at_work
    from rollout_target_state t where t.rollout_id = ${rolloutId} group by 1`;
  return { ...row, state, counts: countsOf(TARGET_STATES, counted), atWork: atWorkOf(counted) };
}

function atWorkOf(counted: readonly Counted<string>[]): number {
  return counted.reduce((sum, each) => sum + each.atWork, 0);
}

/** Starts no further targets, because too many have failed. */
export async function stopRollout(sql: Sql, rolloutId: RolloutId): Promise<void> {
  await sql`
    update rollout set ends_as = 'stopped'
    where rollout_id = ${rolloutId} and state = 'running' and ends_as is null`;
}

/** Ends the uploads that are still held. */
export async function cancelHeld(sql: Sql, rolloutId: RolloutId): Promise<void> {
  await sql`
    update menu_upload set state = 'canceled', finished_at = now(),
      messages = ${JSON.stringify([CANCELED_MESSAGE])}::text::json
    where rollout_id = ${rolloutId} and held and state = 'queued'`;
}

/** A target that comes next, and the facts that decide whether it may start. */
export interface NextTarget extends PublicationKey {
  readonly position: number;
  readonly uploadId: UploadId;
  readonly storeIsDeleted: boolean;
  /** The user of the rollout still has the store, or is an operator. */
  readonly isAllowed: boolean;
  /** Null if the store is no longer connected, or the integration is gone. */
  readonly connection: ConnectionFacts | null;
}

/** The next `limit` held targets, in the order in which they were sent. */
export async function listNextTargets(
  sql: Sql,
  rolloutId: RolloutId,
  limit: number,
): Promise<NextTarget[]> {
  return sql<NextTarget[]>`
    select t.position, t.store_id, t.integration_id, t.upload_id,
      s.deleted_at is not null as store_is_deleted,
      us.user_id is not null or 'operator' = any(owner.permissions) as is_allowed,
      ${connectionOf(sql)} as connection
    from rollout_target t
    join rollout o using (rollout_id)
    join app_user owner on owner.user_id = o.user_id
    join menu_upload u on u.upload_id = t.upload_id
    join store s on s.store_id = t.store_id
    left join user_store us on us.store_id = t.store_id and us.user_id = o.user_id
    join integration i on i.integration_id = t.integration_id
    left join store_integration c
      on c.store_id = t.store_id and c.integration_id = t.integration_id
    where t.rollout_id = ${rolloutId} and t.refusal is null and u.held and u.state = 'queued'
    order by t.position limit ${limit}`;
}

/** The facts about integration `i` and connection `c` as one value. */
export function connectionOf(sql: Sql) {
  return sql`json_build_object('app', i.app, 'active', i.active,
    'hasCredential', c.credential_encrypted is not null,
    'hasAppStoreId', c.delivery_id is not null,
    'configured', i.base_url is not null and i.client_id is not null
      and i.client_secret_encrypted is not null)`;
}

/** Releases held uploads; returns their publications, to be woken. */
export async function releaseUploads(
  sql: Sql,
  uploadIds: readonly UploadId[],
): Promise<readonly PublicationKey[]> {
  return sql<PublicationKey[]>`
    with waiting as materialized (
      select upload_id from menu_upload
      where upload_id = any(${[...uploadIds]}::text[]) and held and state = 'queued'
      order by upload_id for no key update
    )
    update menu_upload u set held = false, released_at = now()
    from waiting w where u.upload_id = w.upload_id
    returning u.store_id, u.integration_id`;
}

/** Ends a target that must not start: its upload failed with this message. */
export async function refuseTarget(
  sql: Sql,
  { uploadId }: Pick<NextTarget, 'uploadId'>,
  sentence: string,
): Promise<void> {
  const messages = JSON.stringify([sentence]);
  await sql`
    with ended as (
      update menu_upload set state = 'failed', finished_at = now(), messages = ${messages}::text::json
      where upload_id = ${uploadId} and held and state = 'queued'
      returning upload_id, rollout_id
    )
    update rollout_target t set refusal = ${messages}::text::json from ended e
    where t.rollout_id = e.rollout_id and t.upload_id = e.upload_id`;
}

/**
 * Ends the rollout, or its revert, with these counts. The caller has seen that nothing is left to do. Has no effect in
 * any other state than that of `progress`.
 */
export async function endRollout(
  sql: Sql,
  rolloutId: RolloutId,
  { state, counts }: Pick<TargetProgress | RevertProgress, 'state' | 'counts'>,
): Promise<void> {
  const text = JSON.stringify(counts);
  await sql`
    update rollout set finished_at = now(), lease_until = null,
      state = case when state = 'reverting' then 'reverted' else coalesce(ends_as, 'done') end,
      counts = case when state = 'reverting' then counts else ${text}::text::json end,
      revert_counts = case when state = 'reverting' then ${text}::text::json end
    where rollout_id = ${rolloutId} and state = ${state} and state in ('running', 'reverting')`;
}

/** Gives back the lease of a rollout that has ended, unless its revert has started meanwhile. */
export async function restRollout(
  sql: Sql,
  rolloutId: RolloutId,
  state: Exclude<RolloutState, 'running' | 'reverting'>,
): Promise<void> {
  await sql`
    update rollout set lease_until = null where rollout_id = ${rolloutId} and state = ${state}`;
}
