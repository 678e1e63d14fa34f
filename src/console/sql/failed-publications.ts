import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { isVisible } from '../../uploads/sql/upload-views';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';

/**
 * The most failed uploads that are judged, of each store and altogether, the newest first: so the page costs the same
 * however many there are.
 */
export const SEEN_FAILURES = 2_000;
/** The most of everybody's that are looked at for a user of many stores. */
export const LOOKED_AT_FAILURES = 20_000;
/** The most publications that are listed. */
export const LISTED_FAILURES = 20;

/** A publication whose last upload failed, which an index of `menu_upload` finds. */
export interface FailedPublication {
  readonly uploadId: string;
  readonly storeId: number;
  readonly storeName: string;
  readonly integrationId: number;
  readonly app: string;
  readonly name: string;
  readonly finishedAt: Date;
  readonly messages: readonly string[];
}

/**
 * The viewer's publications whose last upload failed, the newest first; one more than are listed, to know whether there
 * are more. An upload that waits, was superseded or was canceled does not count, so it hides no failure. Deleted stores
 * and inactive integrations are left out: nobody is expected to mend them.
 */
export async function listFailedPublications(
  sql: Sql,
  viewer: Viewer,
): Promise<FailedPublication[]> {
  const isByStore = await seesFewStores(sql, viewer);
  const newest = isByStore ? failuresByStore(sql, viewer) : failuresAmongAll(sql, viewer);
  return sql<FailedPublication[]>`
    select f.upload_id, f.store_id, s.name as store_name, f.integration_id, i.app, i.name, u.finished_at, u.messages
    from (
      select distinct on (store_id, integration_id) * from (${newest}) as newest
      order by store_id, integration_id, seq desc) as f
    cross join lateral (
      select last.upload_id from menu_upload last
      where last.store_id = f.store_id and last.integration_id = f.integration_id
        and last.state in ('uploaded', 'partly_uploaded', 'failed')
      order by last.seq desc limit 1) as last
    join integration i on ${keyIs(sql, sql`i.integration_id`, sql`f.integration_id`)} and i.active
    join store s on ${keyIs(sql, sql`s.store_id`, sql`f.store_id`)} and s.deleted_at is null
    join menu_upload u on ${keyIs(sql, sql`u.upload_id`, sql`f.upload_id`)}
    where last.upload_id = f.upload_id
    order by f.upload_id desc limit ${LISTED_FAILURES + 1}`;
}

/** Of each store of the user. */
function failuresByStore(sql: Sql, { userId }: Viewer): PendingQuery<Row[]> {
  return sql`
    select u.* from user_store us cross join lateral (
      select u.upload_id, u.store_id, u.integration_id, u.seq from menu_upload u
      where u.state = 'failed' and ${keyIs(sql, sql`u.store_id`, sql`us.store_id`)}
      order by u.store_id desc, u.upload_id desc limit ${SEEN_FAILURES}) as u
    where us.user_id = ${userId}
    order by u.upload_id desc limit ${SEEN_FAILURES}`;
}

/** Among everybody's. */
function failuresAmongAll(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  const most = viewer.seesAll ? SEEN_FAILURES : LOOKED_AT_FAILURES;
  return sql`
    select u.* from (
      select u.upload_id, u.store_id, u.integration_id, u.seq from menu_upload u
      where u.state = 'failed' order by u.upload_id desc limit ${most}) as u
    where ${isVisible(sql, viewer)}
    order by u.upload_id desc limit ${SEEN_FAILURES}`;
}
