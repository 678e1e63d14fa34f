import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { isVisible } from '../../uploads/sql/upload-views';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import { lastEnded } from './last-ended';

/**
 * The most that are judged: of a user's publications, or among everybody's the newest failed uploads. So the page costs
 * the same however many there are.
 */
export const SEEN_FAILURES = 2_000;
/** The most failed uploads of everybody's that are looked at for a user of many stores. */
export const LOOKED_AT_FAILURES = 20_000;
/** The most publications that are listed. */
export const LISTED_FAILURES = 20;

/** A publication whose last upload failed. */
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
  const publications = isByStore ? ofUser(sql, viewer) : failedAmongAll(sql, viewer);
  return sql<FailedPublication[]>`
    select last.upload_id, p.store_id, s.name as store_name, p.integration_id, i.app, i.name, last.finished_at,
      last.messages
    from (${publications}) as p cross join lateral (${lastEnded(sql)}) as last
    join integration i on ${keyIs(sql, sql`i.integration_id`, sql`p.integration_id`)} and i.active
    join store s on ${keyIs(sql, sql`s.store_id`, sql`p.store_id`)} and s.deleted_at is null
    where last.state = 'failed'
    order by last.upload_id desc limit ${LISTED_FAILURES + 1}`;
}

/** Those of the user's stores. */
function ofUser(sql: Sql, { userId }: Viewer): PendingQuery<Row[]> {
  return sql`
    select p.store_id, p.integration_id from user_store us
    join publication p on ${keyIs(sql, sql`p.store_id`, sql`us.store_id`)}
    where us.user_id = ${userId} limit ${SEEN_FAILURES}`;
}

/** Those of the newest failed uploads among everybody's. */
function failedAmongAll(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  const most = viewer.seesAll ? SEEN_FAILURES : LOOKED_AT_FAILURES;
  return sql`
    select distinct newest.store_id, newest.integration_id from (
      select u.store_id, u.integration_id from (
        select u.upload_id, u.store_id, u.integration_id from menu_upload u
        where u.state = 'failed' order by u.upload_id desc limit ${most}) as u
      where ${isVisible(sql, viewer)}
      order by u.upload_id desc limit ${SEEN_FAILURES}) as newest`;
}
