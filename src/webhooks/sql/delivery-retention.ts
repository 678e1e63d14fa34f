import type { Sql } from '../../platform/db/client';
import { onlyRow } from '../../platform/db/only-row';
import { endedUntried, keepEnded } from './ended-deliveries';

/**
 * Ends up to `limit` deliveries as `discarded` that have waited longer than the retention for a disabled
 * subscription; returns how many. Measured by `due_at`, which a resend renews and
 * `enableSubscription` never sets before that: a delivery resent yesterday is not too old.
 */
export async function discardExpiredDeliveries(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql<{ discarded: number }[]>`
    with gone as (
      delete from delivery d
      where d.delivery_id = any (array(
        -- For each webhook by itself: a join might begin with all that wait.
        select w.delivery_id from subscription s cross join lateral (
          select w.delivery_id from delivery w
          where w.subscription_id = s.subscription_id and w.due_at < now() - ${days}::int * interval '1 day'
          order by w.due_at limit ${limit} for update skip locked) as w
        where s.state = 'disabled'
        limit ${limit}))
      returning ${endedUntried(sql, 'discarded')}
    ), ${keepEnded(sql)}
    select count(*)::int as discarded from gone`;
  return onlyRow(rows).discarded;
}

/** Removes up to `limit` deliveries that ended before the retention and are in no partition; returns how many. */
export async function removeExpiredDeliveries(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const removed = await sql`
    delete from ended_delivery_default where (delivery_id, finished_at) in (
      select delivery_id, finished_at from ended_delivery_default
      where finished_at < now() - ${days}::int * interval '1 day'
      order by finished_at limit ${limit} for update skip locked)
    returning delivery_id`;
  return removed.length;
}
