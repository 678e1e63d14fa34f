import type { CHANGE_STATES } from '../../schemas/states';
import type { Sql } from '../platform/db/client';

export interface ChangeCount {
  readonly app: string;
  readonly state: (typeof CHANGE_STATES)[number];
  readonly count: number;
  /** For unfinished changes of which the app could be told; 0 if there are none. */
  readonly oldestDueSeconds: number;
}

/**
 * The changes of availability by app: those waiting or running now, and those that ended within the last hour. A
 * change that is being collected, or whose app failed and will be retried, is not late.
 */
export async function countChanges(sql: Sql): Promise<ChangeCount[]> {
  return sql<ChangeCount[]>`
    select i.app, c.state, count(*)::int as count,
      greatest(coalesce(max(extract(epoch from now() - greatest(c.due_at, l.retry_at))), 0), 0)::float8
        as oldest_due_seconds
    from availability_change c join integration i using (integration_id)
    left join availability_line l using (store_id, integration_id)
    where c.state in ('queued', 'running') group by i.app, c.state
    union all
    select i.app, c.state, count(*)::int, 0::float8
    from availability_change c join integration i using (integration_id)
    where c.finished_at > now() - interval '1 hour' group by i.app, c.state`;
}
