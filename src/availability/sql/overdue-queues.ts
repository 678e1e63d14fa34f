import type { PendingQuery, Row } from 'postgres';
import { appsToldAgain } from '../../delivery-apps/registry';
import { isOverdue, isSwept, maySweep } from '../../platform/queue/lease';
import type { Sql } from '../../platform/db/client';
import type { PublicationKey } from '../../uploads/sql/publications';

/**
 * `takeOverdue` of availability. A time that has passed is overdue at once, because its timer may be lost together with
 * Temporal's state.
 */
export async function takeOverdueQueues(sql: Sql, limit: number): Promise<PublicationKey[]> {
  return sql<PublicationKey[]>`
    with overdue as (
      select store_id, integration_id from availability_mark
        where api_until < now() - interval '1 s'
      union select store_id, integration_id from store_pause where until < now() - interval '1 s'
      union select store_id, integration_id from store_special_days
        where next_look_at < now() - interval '1 s'
      union select store_id, integration_id from item_season where turns_at < now() - interval '1 s'
      union select c.store_id, c.integration_id from availability_change c
        join availability_queue q using (store_id, integration_id)
        where c.state in ('queued', 'running')
          and ${isOverdue(sql, sql`greatest(c.due_at, q.retry_at)`)}
      union ${queuesBehindMenus(sql)}
    )
    update availability_queue q set ${isSwept(sql)}
    where (store_id, integration_id) in (
      select q.store_id, q.integration_id from availability_queue q
      join overdue using (store_id, integration_id)
      where ${maySweep(sql, sql`q.`)}
      limit ${limit} for update of q skip locked)
    returning store_id, integration_id`;
}

/**
 * Queues that have not followed their live menu, found by a mark on its publication: queues are many. Also without an
 * item off sale: the last one may have come back on sale while the app still worked on the menu, which has it off.
 */
function queuesBehindMenus(sql: Sql): PendingQuery<Row[]> {
  return sql`
    select q.store_id, q.integration_id from availability_queue q
    join publication p using (store_id, integration_id) join integration i using (integration_id)
    join store s using (store_id)
    where p.is_unfollowed and i.app = any(${[...appsToldAgain()]}::text[]) and s.deleted_at is null
      and p.live_upload_id is not null and p.live_upload_id is distinct from q.told_upload_id`;
}
