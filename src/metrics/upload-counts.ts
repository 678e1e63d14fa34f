import type { UploadState } from '../uploads/upload';
import type { Sql } from '../platform/db/client';

export interface UploadCount {
  readonly state: UploadState;
  readonly count: number;
}

/**
 * How many uploads wait or run now, and how many ended within the last hour: both by an index, however many are
 * stored.
 */
export async function countUploads(sql: Sql): Promise<UploadCount[]> {
  return sql<UploadCount[]>`
    select state, count(*)::int as count from menu_upload
    where state in ('queued', 'running') group by state
    union all
    select state, count(*)::int from menu_upload
    where finished_at > now() - interval '1 hour' group by state`;
}
