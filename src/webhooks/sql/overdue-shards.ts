import type { Sql } from '../../platform/db/client';
import { isOverdue, isSwept } from '../../platform/queue/lease';
import { waitingIds, waitingSubscriptions } from './webhook-shards';

/**
 * `takeOverdue` of webhooks: due for 30 s, not held back for that long, and in no living worker's hands, whose own look
 * finds what is due.
 */
export async function takeOverdueShards(sql: Sql, limit: number): Promise<number[]> {
  const rows = await sql<{ shard: number }[]>`
    with recursive ${waitingIds(sql)},
    overdue as (
      select distinct s.shard from ${waitingSubscriptions(sql)}
      where s.state = 'enabled'
        and (s.paused_until is null or ${isOverdue(sql, sql`s.paused_until`)})
        and exists (
          select from delivery d
          where d.subscription_id = s.subscription_id
            and ${isOverdue(sql, sql`d.due_at`)})
    )
    update webhook_shard w set ${isSwept(sql)}
    where w.shard in (
      select l.shard from webhook_shard l join overdue using (shard)
      where l.next_sweep_at <= now()
        and not exists (select from webhook_worker o where o.worker = l.worker and o.lease_until > now())
      limit ${limit} for update of l skip locked)
    returning w.shard`;
  return rows.map((row) => row.shard);
}
