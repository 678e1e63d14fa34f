import { firstId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { isVisible } from '../../uploads/sql/upload-views';
import type { Viewer } from '../../users/sql/users';

/** The most uploads that are counted of each kind, so that the page costs the same however many there are. */
const COUNTED = 20_000;

/** An integration with what happens in it in the viewer's stores. */
export interface AppEntry {
  readonly integrationId: number;
  readonly app: string;
  readonly name: string;
  readonly active: boolean;
  readonly maxInFlight: number;
  /** Uploads that have not ended. */
  readonly waiting: number;
  /** Of the uploads accepted since midnight UTC. */
  readonly failed: number;
}

interface AppFilter {
  readonly integrationId?: number;
  /** Only integrations made before this one. */
  readonly before?: number;
  readonly limit: number;
}

/** The integrations that the viewer's stores are connected to, newest first; operators see all. */
export async function listApps(
  sql: Sql,
  viewer: Viewer,
  { integrationId, before, limit }: AppFilter,
): Promise<AppEntry[]> {
  const today = firstId('upl', new Date().setUTCHours(0, 0, 0, 0));
  return sql<AppEntry[]>`
    with shown as (
      select i.integration_id, i.app, i.name, i.active, i.max_in_flight from integration i
      where (${viewer.seesAll}::boolean or exists (
          select from user_store us join store_integration c using (store_id)
          where us.user_id = ${viewer.userId} and c.integration_id = i.integration_id))
        ${integrationId === undefined ? sql`` : sql`and i.integration_id = ${integrationId}::bigint`}
        ${before === undefined ? sql`` : sql`and i.integration_id < ${before}::bigint`}
      order by i.integration_id desc limit ${limit}
    ), waiting as (
      select integration_id, count(*)::int as count from (
        select u.integration_id from menu_upload u
        where u.state in ('queued', 'running') and ${isVisible(sql, viewer)} limit ${COUNTED}) as u
      group by integration_id
    ), failed as (
      select integration_id, count(*)::int as count from (
        select u.integration_id from menu_upload u
        where u.state = 'failed' and u.upload_id > ${today} and ${isVisible(sql, viewer)} limit ${COUNTED}) as u
      group by integration_id
    )
    select s.*, coalesce(w.count, 0) as waiting, coalesce(f.count, 0) as failed
    from shown s left join waiting w using (integration_id) left join failed f using (integration_id)
    order by s.integration_id desc`;
}
