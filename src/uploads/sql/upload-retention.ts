import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';

/** A position among the ended uploads, in their order. The time is Postgres' own text, to the microsecond. */
export interface UploadPosition {
  readonly finishedAt: string;
  readonly uploadId: string;
}

interface RemovedUploads {
  readonly looked: number;
  readonly removed: number;
  /** The last upload that it checked; null if there was none. */
  readonly upTo: UploadPosition | null;
}

/**
 * Checks up to `limit` uploads after `from` that ended before the retention, oldest first, and removes those not in
 * use. The ones in use accumulate at the old end, so the next call continues from `upTo`.
 */
export async function removeExpiredUploads(
  sql: Sql,
  days: number,
  limit: number,
  { finishedAt, uploadId }: UploadPosition = { finishedAt: '-infinity', uploadId: '' },
): Promise<RemovedUploads> {
  const rows = await sql<{ looked: number; removed: number; last: UploadPosition | null }[]>`
    with old as (
      select upload_id, finished_at from menu_upload
      where finished_at >= ${finishedAt}::timestamptz
        and (finished_at, upload_id) > (${finishedAt}::timestamptz, ${uploadId})
        and finished_at < now() - ${days}::int * interval '1 day'
      order by finished_at, upload_id limit ${limit} for update skip locked
    ), removed as (
      delete from menu_upload u using old
      where u.upload_id = old.upload_id
        and not ${isInUse(sql)}
      returning u.upload_id
    )
    select (select count(*) from old) as looked, (select count(*) from removed) as removed,
      (select json_build_object('finishedAt', finished_at::text, 'uploadId', upload_id) from old
        order by finished_at desc, upload_id desc limit 1) as last`;
  const { looked, removed, last } = onlyRow(rows);
  return { looked, removed, upTo: last };
}

/**
 * A condition on upload `u`: it is live, was live before the current one, or belongs to a rollout that is still
 * stored (or was live before one, so that the rollout can be reverted). Retention keeps such uploads.
 */
function isInUse(sql: Sql): PendingQuery<Row[]> {
  return sql`(
    exists (select from publication p
      where p.store_id = u.store_id and p.integration_id = u.integration_id
        and p.live_upload_id = u.upload_id)
    or exists (select from menu_upload later join publication p
        on p.store_id = later.store_id and p.integration_id = later.integration_id
          and p.live_upload_id = later.upload_id
      where later.previous_upload_id = u.upload_id)
    or exists (select from rollout o where o.rollout_id = u.rollout_id)
    or exists (select from menu_upload later join rollout o using (rollout_id)
      where later.previous_upload_id = u.upload_id))`;
}
