import type { Sql } from '../platform/db/client';
import { onlyRow } from '../platform/db/only-row';
import { waitingIds, waitingSubscriptions } from '../webhooks/sql/webhook-shards';

/** How long the oldest row that could be worked on has been waiting, ms; 0 if there is none. */
export async function findOldestDueMs(sql: Sql): Promise<number> {
  const rows = await sql<{ ms: number }[]>`
    with recursive ${waitingIds(sql)}
    select coalesce(max(extract(epoch from now() - due_at)) * 1000, 0)::float8 as ms from (
      (select coalesce(next_attempt_at, created_at) as due_at from menu_upload
        -- An upload whose app works on a task is waited for, not late.
        where state in ('queued', 'running') and task_id is null and not held
        order by coalesce(next_attempt_at, created_at) limit 1)
      union all
      -- By subscription, as its index is: those that are paused or disabled wait on purpose.
      select oldest.due_at from ${waitingSubscriptions(sql)} cross join lateral (
        select d.due_at from delivery d
        where d.subscription_id = s.subscription_id
        order by d.due_at limit 1
      ) as oldest
      where s.state = 'enabled' and (s.paused_until is null or s.paused_until <= now())
    ) as oldest where due_at <= now()`;
  return onlyRow(rows).ms;
}
