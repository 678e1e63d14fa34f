import type { Sql } from '../platform/db/client';
import { COUNTED_ROWS, unfinishedUploads } from './counts';

export interface WaitingUploads {
  readonly app: string;
  readonly count: number;
  /** Those of them whose last try failed and whose app is not working on a task: it is away, or refuses for now. */
  readonly retrying: number;
  /** For uploads that could be worked on; one whose app works on a task, or that a rollout holds, is not late. */
  readonly oldestDueSeconds: number;
}

/**
 * The unfinished uploads by app, up to `COUNTED_ROWS`; of those that no rollout holds the longest due come first, for
 * the figures about what is late or tried again.
 */
export async function findWaitingUploads(sql: Sql): Promise<WaitingUploads[]> {
  return sql<WaitingUploads[]>`
    with due as (
      select integration_id, state, retry_reason, task_id, waits_for, coalesce(next_attempt_at, created_at) as due_at
      from menu_upload where state in ('queued', 'running') and not held
      order by coalesce(next_attempt_at, created_at) limit ${COUNTED_ROWS}
    ), counted as (
      select integration_id, count(*) as count, 0 as retrying, null as late_seconds
      from (${unfinishedUploads(sql)}) as unfinished group by integration_id
      union all
      select integration_id, 0,
        -- Also while a try is under way: an app that hangs would come and go otherwise.
        count(*) filter (where state = 'running' and retry_reason is not null and task_id is null
          and waits_for is null),
        max(extract(epoch from now() - due_at)) filter (where task_id is null and due_at <= now())
      from due group by integration_id
    )
    select i.app, sum(c.count)::int as count, sum(c.retrying)::int as retrying,
      coalesce(max(c.late_seconds), 0)::float8 as oldest_due_seconds
    from counted c join integration i using (integration_id) group by i.app`;
}
