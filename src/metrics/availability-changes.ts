import type { PendingQuery, Row } from 'postgres';
import type { CHANGE_STATES } from '../../schemas/states';
import type { Sql } from '../platform/db/client';
import { keyIs } from '../platform/db/key-is';
import { COUNTED_ROWS, endedWithinHour } from './counts';

export interface ChangeCount {
  readonly app: string;
  readonly state: (typeof CHANGE_STATES)[number];
  readonly count: number;
  /** For unfinished changes of which the app could be told; 0 if there are none. */
  readonly oldestDueSeconds: number;
}

/**
 * The changes of availability by app: those waiting or running now, and those that ended within the last hour, of each
 * kind up to `COUNTED_ROWS`. A change that is being collected, or whose app failed and will be retried, is not late.
 */
export async function countChanges(sql: Sql): Promise<ChangeCount[]> {
  return sql<ChangeCount[]>`
    with recursive ${waitingQueues(sql)}, late as (
      select w.integration_id, max(extract(epoch from now() - greatest(w.due_at, q.retry_at))) as seconds
      from (select * from waiting limit ${COUNTED_ROWS}) as w
      left join availability_queue q
        on ${keyIs(sql, sql`q.store_id`, sql`w.store_id`)} and q.integration_id = w.integration_id
      group by w.integration_id
    ), counted as (
      select integration_id, state, count(*) as count from (
        select integration_id, state from availability_change where state in ('queued', 'running')
        order by store_id, integration_id, due_at limit ${COUNTED_ROWS}) as unfinished
      group by integration_id, state
      union all
      select integration_id, state, count(*) from (
        ${endedWithinHour(sql, sql`availability_change`, sql`integration_id, state`)}) as ended
      group by integration_id, state
    )
    select i.app, c.state, sum(c.count)::int as count,
      greatest(coalesce(max(c.late_seconds), 0), 0)::float8 as oldest_due_seconds
    from (
      select integration_id, state, count, null as late_seconds from counted
      union all
      select integration_id, 'queued', 0, seconds from late) as c
    join integration i using (integration_id)
    group by i.app, c.state`;
}

/**
 * `waiting`: the oldest unfinished change of each queue. It steps from queue to queue over the index, so what is late
 * is found however many wait.
 */
function waitingQueues(sql: Sql): PendingQuery<Row[]> {
  return sql`waiting as (
    (select store_id, integration_id, due_at from availability_change where state in ('queued', 'running')
      order by store_id, integration_id, due_at limit 1)
    union all
    select next.* from waiting w cross join lateral (
      select store_id, integration_id, due_at from availability_change
      where state in ('queued', 'running')
        and (store_id, integration_id) > (w.store_id, w.integration_id)
      order by store_id, integration_id, due_at limit 1) as next
  )`;
}
