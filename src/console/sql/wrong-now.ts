import { listUnavailableEntries, type UnavailableEntry } from '../../availability/sql/views';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import type { UploadId } from '../../platform/ids';
import type { RolloutView } from '../../rollouts/sql/rollouts';
import { isVisible } from '../../uploads/sql/upload-views';
import type { UploadState } from '../../uploads/upload';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';

/** The most rows of a table of the overview; one more is read, to know whether there are more. */
export const LISTED = 20;
/** The most rows that are read for a table, so that the page costs the same however many there are. */
const READ = 2_000;
const ENDED_LATELY_DAYS = 7;
/** Longer than a worker that is away for a moment takes to come back, s. */
export const LATE_S = 120;

/** An upload that its app did not take at the first try, or that nobody has taken up. */
export interface WaitingUpload {
  readonly uploadId: UploadId;
  readonly state: UploadState;
  readonly storeId: number;
  readonly integrationId: number;
  readonly createdAt: Date;
}

/**
 * Uploads of the viewer's stores that wait in vain, the oldest first. Those that wait for a permit or for people are
 * left out. Held or not, and the time, are said for the index of what is due.
 */
export async function listWaitingUploads(sql: Sql, viewer: Viewer): Promise<WaitingUpload[]> {
  const open = sql`u.state in ('queued', 'running') and not u.held`;
  const dueAt = sql`coalesce(u.next_attempt_at, u.created_at)`;
  return sql<WaitingUpload[]>`
    select waiting.upload_id, waiting.state, waiting.store_id, waiting.integration_id, waiting.created_at
    from (
      (select u.* from menu_upload u
        where ${open} and ${dueAt} > now()
          and u.state = 'running' and u.next_attempt_at > now() and u.task_id is null and u.waits_for is null
          and ${isVisible(sql, viewer)}
        limit ${READ})
      union all
      -- Their next try is under way, or late.
      (select due.* from (
          select u.* from menu_upload u where ${open} and ${dueAt} <= now() order by ${dueAt} limit ${READ}) as due
        where due.task_id is null
          and (due.failed_tries > 0 or coalesce(due.next_attempt_at, due.created_at) < now() - ${LATE_S}::int * interval '1 s')
          and ${isVisible(sql, viewer, sql`due.store_id`)})
    ) as waiting
    order by waiting.upload_id limit ${LISTED + 1}`;
}

/** Deliveries about a store that wait. */
export interface WaitingStore {
  readonly storeId: number;
  /** Of the oldest 2,000 that the viewer sees, or of the store. */
  readonly count: number;
  readonly oldestAt: Date;
}

/** The viewer's stores about which deliveries have waited for more than a minute, the longest waiting first. */
export async function listWaitingStores(sql: Sql, viewer: Viewer): Promise<WaitingStore[]> {
  const oldest = (await seesFewStores(sql, viewer))
    ? sql`
      select d.store_id, d.created_at, d.resent_at from user_store us cross join lateral (
        select d.store_id, d.created_at, d.resent_at from delivery d
        where ${keyIs(sql, sql`d.store_id`, sql`us.store_id`)}
        order by d.store_id, d.delivery_id limit ${READ}) as d
      where us.user_id = ${viewer.userId}`
    : sql`
      select d.store_id, d.created_at, d.resent_at from (
        select d.store_id, d.created_at, d.resent_at from delivery d order by d.delivery_id limit ${READ}) as d
      where d.store_id is not null and ${isVisible(sql, viewer, sql`d.store_id`)}`;
  return sql<WaitingStore[]>`
    select store_id, count(*)::int as count, min(greatest(created_at, resent_at)) as oldest_at from (${oldest}) as oldest
    where greatest(created_at, resent_at) < now() - interval '1 min'
    group by store_id order by oldest_at limit ${LISTED + 1}`;
}

/** Items of the viewer's stores that should be off sale, and whose change failed; of the newest 2,000 items. */
export async function listItemsStillOnSale(sql: Sql, viewer: Viewer): Promise<UnavailableEntry[]> {
  const { rows } = await listUnavailableEntries(sql, viewer, { limit: READ });
  return rows.filter(({ state }) => state === 'failed').slice(0, LISTED + 1);
}

/** A store that takes no orders in an app. */
export interface PausedStore {
  readonly storeId: number;
  readonly integrationId: number;
  readonly since: Date;
  /** Null: until somebody resumes it. */
  readonly until: Date | null;
  readonly reason: string | null;
}

/**
 * Where the viewer's stores are paused, the newest first: what a caller has just noticed. Not deleted stores and inactive
 * integrations.
 */
export async function listPausedStores(sql: Sql, viewer: Viewer): Promise<PausedStore[]> {
  return sql<PausedStore[]>`
    select u.store_id, u.integration_id, u.since, u.until, u.reason
    from store_pause u
    join integration i on i.integration_id = u.integration_id and i.active
    join store s on s.store_id = u.store_id and s.deleted_at is null
    where (u.until is null or u.until > now()) and ${isVisible(sql, viewer)}
    order by u.since desc limit ${LISTED + 1}`;
}

export interface DriftedMenu {
  readonly storeId: number;
  readonly integrationId: number;
  readonly uploadId: string;
  readonly checkedAt: Date;
  readonly changesCount: number | null;
}

/** Live menus that the app no longer showed at the last reading; not of deleted stores or inactive integrations. */
export async function listDriftedMenus(sql: Sql, viewer: Viewer): Promise<DriftedMenu[]> {
  return sql<DriftedMenu[]>`
    select u.store_id, u.integration_id, u.live_upload_id as upload_id, u.drift_checked_at as checked_at,
      u.drift_changes_count as changes_count
    from publication u
    join integration i on i.integration_id = u.integration_id and i.active
    join store s on s.store_id = u.store_id and s.deleted_at is null
    where u.drift_state = 'changed' and u.live_upload_id is not null and ${isVisible(sql, viewer)}
    order by u.store_id, u.integration_id limit ${LISTED + 1}`;
}

/** A rollout that did not come to all of its stores. */
export type FailedRollout = Pick<
  RolloutView,
  'rolloutId' | 'state' | 'counts' | 'revert' | 'finishedAt'
>;

/**
 * The viewer's rollouts that ended in the last seven days, stopped or with stores that did not get the menu, newest
 * first; not those that were taken back.
 */
export async function listFailedRollouts(sql: Sql, viewer: Viewer): Promise<FailedRollout[]> {
  return sql<FailedRollout[]>`
    select rollout_id, state, coalesce(counts, '{}') as counts, null as revert, finished_at from rollout
    where (state = 'stopped' or (state = 'done'
        and coalesce((counts ->> 'failed')::int, 0) + coalesce((counts ->> 'refused')::int, 0) > 0))
      and finished_at > now() - ${ENDED_LATELY_DAYS}::int * interval '1 day'
      and (${viewer.seesAll}::boolean or user_id = ${viewer.userId})
    order by finished_at desc limit ${LISTED + 1}`;
}
