import type { Sql } from '../platform/db/client';

export interface WaitingUploads {
  readonly app: string;
  readonly count: number;
  /** Those of them whose last try failed and whose app is not working on a task: it is away, or refuses for now. */
  readonly retrying: number;
  /** For uploads that could be worked on; one whose app works on a task is not late. */
  readonly oldestDueSeconds: number;
}

/** The unfinished uploads by app. */
export async function findWaitingUploads(sql: Sql): Promise<WaitingUploads[]> {
  return sql<WaitingUploads[]>`
    select i.app, count(*)::int as count,
      -- Also while a try is under way: an app that hangs would come and go otherwise.
      count(*) filter (where u.state = 'running' and u.retry_reason is not null and u.task_id is null
        and u.waits_for is null)::int as retrying,
      coalesce(max(extract(epoch from now() - coalesce(u.next_attempt_at, u.created_at)))
        filter (where u.task_id is null and coalesce(u.next_attempt_at, u.created_at) <= now()), 0)::float8
        as oldest_due_seconds
    from menu_upload u join integration i using (integration_id)
    where u.state in ('queued', 'running') group by i.app`;
}
