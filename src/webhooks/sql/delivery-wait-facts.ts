import type { DeliveryWait } from '../../contract/why-it-waits';
import type { DeliveryId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { wantedSince } from './ended-deliveries';

export type DeliveryWaitFacts = DeliveryWait & { readonly deliveryId: DeliveryId };

/**
 * The facts about why these deliveries wait; those that have ended are left out. Which permits of a receiver are taken
 * is read among those due longest, once for each webhook.
 */
export async function findDeliveryWaits(
  sql: Sql,
  deliveryIds: readonly DeliveryId[],
): Promise<DeliveryWaitFacts[]> {
  return sql<DeliveryWaitFacts[]>`
    with asked as materialized (
      select * from delivery d where d.delivery_id = any(${[...deliveryIds]}::text[])
    ), receiver as materialized (
      select s.*, w.epoch, o.lease_until is not null as has_consumer,
        s.max_per_second is not null or (
          select count(*) filter (where due.lease_epoch = w.epoch) from (
            select d.lease_epoch from delivery d
            where d.subscription_id = s.subscription_id and d.due_at <= now()
            order by d.due_at, d.sequence limit 2 * s.max_in_flight) as due) >= s.max_in_flight as is_limited
      from subscription s join webhook_shard w using (shard)
        left join webhook_worker o on o.worker = w.worker and o.lease_until > now()
      where s.subscription_id in (select subscription_id from asked)
    )
    select d.delivery_id, now() as now, ${wantedSince(sql)} as wanted_since, d.due_at, d.attempts_made,
      d.lease_epoch is not distinct from r.epoch and coalesce(d.lease_until > now(), true) as is_under_way,
      d.wait_reason, d.message, last.status, last.error,
      case when d.attempts_made > d.attempts_before_resend
        then coalesce(first.failed_at, ${wantedSince(sql)}) end as failed_since,
      r.disabled_reason, r.paused_until, r.failing_since, r.consecutive_failures,
      r.pause_asked as is_pause_asked, r.is_limited, r.has_consumer,
      r.own_fault, r.own_fault_since
    from asked d join receiver r using (subscription_id)
      left join attempt last on last.delivery_id = d.delivery_id and last.number = d.attempts_made
      left join lateral (
        select min(a.started_at + a.duration_ms * interval '1 ms') as failed_at from attempt a
        where a.delivery_id = d.delivery_id and a.number > d.attempts_before_resend) as first on true`;
}
