import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import type { Viewer } from '../../users/sql/users';

/**
 * The most failed uploads that are read, of each store and altogether, the newest first: so the page costs the same
 * however many there are.
 */
export const SEEN_FAILURES = 2_000;
/** The most publications that are listed. */
export const LISTED_FAILURES = 20;

/** A publication whose last upload failed; its index is made by migration 0034, which calls it a place. */
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
  return sql<FailedPublication[]>`
    select f.upload_id, f.store_id, s.name as store_name, f.integration_id, i.app, i.name, u.finished_at, u.messages
    from (
      select distinct on (store_id, integration_id) * from (${newestFailures(sql, viewer)}) as newest
      order by store_id, integration_id, seq desc) as f
    cross join lateral (
      select last.upload_id from menu_upload last
      where last.store_id = f.store_id and last.integration_id = f.integration_id
        and last.state in ('uploaded', 'partly_uploaded', 'failed')
      order by last.seq desc limit 1) as last
    join integration i on i.integration_id = f.integration_id and i.active
    join store s on s.store_id = f.store_id and s.deleted_at is null
    join menu_upload u on u.upload_id = f.upload_id
    where last.upload_id = f.upload_id
    order by f.upload_id desc limit ${LISTED_FAILURES + 1}`;
}

function newestFailures(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  if (viewer.seesAll) return failures(sql, sql`true`);
  return sql`
    select f.* from user_store us cross join lateral (${failures(sql, sql`f.store_id = us.store_id`)}) as f
    where us.user_id = ${viewer.userId}
    order by f.upload_id desc limit ${SEEN_FAILURES}`;
}

function failures(sql: Sql, which: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`
    select f.upload_id, f.store_id, f.integration_id, f.seq from menu_upload f
    where f.state = 'failed' and ${which}
    order by f.upload_id desc limit ${SEEN_FAILURES}`;
}
