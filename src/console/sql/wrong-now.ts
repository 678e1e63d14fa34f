import { listUnavailableEntries, type UnavailableEntry } from '../../availability/sql/views';
import type { Sql } from '../../platform/db/client';
import { isVisible } from '../../uploads/sql/upload-views';
import type { Viewer } from '../../users/sql/users';

/** The most rows of a table of the overview; one more is read, to know whether there are more. */
export const LISTED = 20;
/** The most rows that are read for a table, so that the page costs the same however many there are. */
const READ = 2_000;
const STOPPED_LATELY_DAYS = 7;

/** Uploads that wait for their next try, because the app did not take them. */
export interface AwayApp {
  readonly app: string;
  /** Up to 2,000 for all apps together. */
  readonly count: number;
  readonly oldestId: string;
  readonly oldestAt: Date;
  /** Of the oldest. */
  readonly messages: readonly string[];
}

/** The apps that uploads of the viewer's stores wait for. Those that wait for a permit or for people are left out. */
export async function listAwayApps(sql: Sql, viewer: Viewer): Promise<AwayApp[]> {
  return sql<AwayApp[]>`
    select of_app.app, of_app.count, u.upload_id as oldest_id, u.created_at as oldest_at, u.messages
    from (
      select i.app, count(*)::int as count, min(waiting.upload_id) as oldest_id from (
        -- Held or not, and the time, are said for the index of what is due.
        select u.upload_id, u.integration_id from menu_upload u
        where u.state in ('queued', 'running') and not u.held and coalesce(u.next_attempt_at, u.created_at) > now()
          and u.state = 'running' and u.next_attempt_at > now() and u.task_id is null and u.waits_for is null
          and ${isVisible(sql, viewer)}
        limit ${READ}) as waiting
      join integration i using (integration_id) group by i.app) as of_app
    join menu_upload u on u.upload_id = of_app.oldest_id
    order by u.created_at`;
}

/** Items of the viewer's stores that should be off sale, and whose change failed; of the newest 2,000 items. */
export async function listItemsStillOnSale(sql: Sql, viewer: Viewer): Promise<UnavailableEntry[]> {
  const { rows } = await listUnavailableEntries(sql, viewer, { limit: READ });
  return rows.filter(({ state }) => state === 'failed').slice(0, LISTED + 1);
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

export interface StoppedRollout {
  readonly rolloutId: string;
  readonly finishedAt: Date;
}

/** The viewer's rollouts that stopped after failures in the last seven days and were not taken back, newest first. */
export async function listStoppedRollouts(sql: Sql, viewer: Viewer): Promise<StoppedRollout[]> {
  return sql<StoppedRollout[]>`
    select rollout_id, finished_at from rollout
    where state = 'stopped' and finished_at > now() - ${STOPPED_LATELY_DAYS}::int * interval '1 day'
      and (${viewer.seesAll}::boolean or user_id = ${viewer.userId})
    order by finished_at desc limit ${LISTED + 1}`;
}
