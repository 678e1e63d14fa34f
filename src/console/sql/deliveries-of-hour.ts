import type { PendingQuery, Row } from 'postgres';
import { firstId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import type { Viewer } from '../../users/sql/users';
import { EVENTS } from '../../webhooks/platform-events';
import { endedSince } from '../../webhooks/sql/ended-deliveries';

const HOUR_MS = 3_600_000;
/**
 * Most deliveries that the figures are counted from, so that the page costs the same however many there are: of 500,000
 * within the hour 0.1 s for operators, 0.2 s for a user who sees all of them in two ways.
 */
export const COUNTED_DELIVERIES = 30_000;

export interface DeliveriesOfMinute {
  /** Minutes before now, 0 – 59; null: all 60 together. */
  readonly ago: number | null;
  readonly made: number;
  readonly ended: number;
  /** Of those that ended: refused or exhausted. */
  readonly failed: number;
  /** From when it was made to its end, ms; null where none ended. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Of those that ended: how long ago the oldest was made, s; null where none ended. */
  readonly oldestEndedS: number | null;
  /** Of those that wait now: how long ago the oldest was made, s; the same in every row, null if none waits. */
  readonly oldestWaitingS: number | null;
  /** Of all that are counted: how many wait now. */
  readonly waiting: number;
}

/**
 * What the deliveries that the viewer may see did in the last hour, by minute, and one row for all of it: those that
 * were made within it, and those that wait. At most 30,000 are counted, the newest of each webhook and store first.
 */
export async function countDeliveriesOfHour(
  sql: Sql,
  viewer: Viewer,
): Promise<DeliveriesOfMinute[]> {
  return sql<DeliveriesOfMinute[]>`
    with counted as (
      select ${minutesSince(sql, sql`created_at`)} as made_ago, ${minutesSince(sql, sql`finished_at`)} as ended_ago,
        finished_at is null as waits, state in ('refused', 'exhausted') as failed,
        greatest(extract(epoch from now() - created_at), 0)::float8 as age_s,
        date_part('epoch', finished_at - created_at) * 1000 as ms
      from (${seenDeliveries(sql, viewer)}) as seen
    ), ended as (
      select ended_ago as ago, count(*)::int as ended, count(*) filter (where failed)::int as failed,
        percentile_disc(array[0.5, 0.99]) within group (order by ms)::float8[] as quantiles,
        max(age_s) as oldest
      from counted where not waits and ended_ago < 60 group by grouping sets ((ended_ago), ())
    ), made as (
      select made_ago as ago, count(*)::int as made from counted
      where made_ago < 60 group by grouping sets ((made_ago), ())
    ), waiting as (
      select count(*)::int as count, max(age_s) as oldest from counted where waits
    )
    select coalesce(e.ago, m.ago) as ago, coalesce(m.made, 0) as made, coalesce(e.ended, 0) as ended,
      coalesce(e.failed, 0) as failed, e.quantiles[1] as p50_ms, e.quantiles[2] as p99_ms,
      e.oldest as oldest_ended_s, w.oldest as oldest_waiting_s, w.count as waiting
    from ended e full join made m on coalesce(e.ago, -1) = coalesce(m.ago, -1) cross join waiting w
    order by ago nulls last`;
}

/** Whole minutes; clocks of two processes differ, so what seems to come is now. */
function minutesSince(sql: Sql, time: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`greatest(floor(date_part('epoch', now() - ${time}) / 60), 0)::int`;
}

/** By the indexes that a list of deliveries goes by: of everybody, or of each webhook and each store of the viewer. */
function seenDeliveries(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  if (viewer.seesAll) return countedDeliveries(sql, sql`true`);
  const own = sql`(i.created_by = ${viewer.userId} or s.user_id = ${viewer.userId})`;
  return sql`
    (select d.state, d.created_at, d.finished_at
      from subscription s left join inventory_system i using (inventory_system_id)
      cross join lateral (${countedDeliveries(sql, sql`d.subscription_id = s.subscription_id`)}) as d
      where ${own}
      limit ${COUNTED_DELIVERIES})
    union all
    -- Those of the first kind are left out after the limit, so that no more are read.
    select d.state, d.created_at, d.finished_at
    from (
      select d.* from user_store us
      cross join lateral (
        ${countedDeliveries(sql, sql`d.store_id = us.store_id and d.type <> ${EVENTS}::smallint`)}) as d
      where us.user_id = ${viewer.userId}
      limit ${COUNTED_DELIVERIES}) as d
    where d.subscription_id not in (
      select s.subscription_id from subscription s left join inventory_system i using (inventory_system_id) where ${own})`;
}

/**
 * What waits and what was made within the hour, the newest first, of the deliveries `d` that `which` holds for. Both
 * kinds by a condition of their own: one over both would be no condition on an index, and walk the day before, too.
 */
function countedDeliveries(sql: Sql, which: PendingQuery<Row[]>): PendingQuery<Row[]> {
  const hourAgo = firstId('dlv', Date.now() - HOUR_MS);
  return sql`
    select * from (
      (select d.delivery_id, d.subscription_id, 'pending' as state, d.created_at, null::timestamptz as finished_at
        from delivery d where ${which}
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES})
      union all
      (select d.delivery_id, d.subscription_id, d.state, d.created_at, d.finished_at
        from ended_delivery d
        where ${which} and d.delivery_id > ${hourAgo} and ${endedSince(sql, [hourAgo])}
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES})) as either
    order by delivery_id desc limit ${COUNTED_DELIVERIES}`;
}
