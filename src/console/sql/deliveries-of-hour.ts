import type { PendingQuery, Row } from 'postgres';
import { firstId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { seesFewStores } from '../../users/sql/store-access';
import type { Viewer } from '../../users/sql/users';
import { AFTER_ALL_DELIVERIES, BEFORE_ALL_DELIVERIES } from '../../webhooks/delivery-ids';
import { EVENTS } from '../../webhooks/platform-events';
import { isListed, isSeenBy } from '../../webhooks/sql/delivery-views';
import { endedSince } from '../../webhooks/sql/ended-deliveries';
import { ownSubscriptions } from './own-subscriptions';

const MINUTE_MS = 60_000;
/**
 * The beginnings of the parts of the hour, minutes ago. A later part is read of every webhook and store before an earlier
 * part of any.
 */
const PARTS = [60, 30, 10, 3] as const;
/**
 * The most deliveries that are counted, of those that wait and of those that ended: so the page costs the same however
 * many there are.
 */
export const COUNTED_DELIVERIES = 20_000;

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
  /** Whether there are more than are counted, of those that wait or of those that ended; the same in every row. */
  readonly isCut: boolean;
}

/**
 * Counts the deliveries that the viewer may see: those made in the last hour, and all that wait. One row for each
 * minute and one for the whole hour. At most 20,000 of each kind are counted, the newest parts of the hour first; for a
 * user of many stores those among everybody's newest.
 */
export async function countDeliveriesOfHour(
  sql: Sql,
  viewer: Viewer,
): Promise<DeliveriesOfMinute[]> {
  const isByStore = await seesFewStores(sql, viewer);
  return sql<DeliveriesOfMinute[]>`
    with ${isByStore ? seenByUser(sql, viewer) : seenAmongAll(sql, viewer)}, counted as (
      select ${minutesSince(sql, sql`created_at`)} as made_ago, ${minutesSince(sql, sql`finished_at`)} as ended_ago,
        finished_at is null as waits, state in ('refused', 'exhausted') as failed, is_passed,
        greatest(date_part('epoch', now() - created_at), 0) as age_s,
        date_part('epoch', finished_at - created_at) * 1000 as ms
      from seen
    ), ended as (
      select ended_ago as ago, count(*)::int as ended, count(*) filter (where failed)::int as failed,
        percentile_disc(array[0.5, 0.99]) within group (order by ms)::float8[] as quantiles,
        max(age_s) as oldest
      from counted where not waits and not is_passed and ended_ago < 60 group by grouping sets ((ended_ago), ())
    ), made as (
      select made_ago as ago, count(*)::int as made from counted
      where not is_passed and made_ago < 60 group by grouping sets ((made_ago), ())
    ), waiting as (
      select count(*) filter (where waits and not is_passed)::int as count,
        max(age_s) filter (where waits and not is_passed) as oldest,
        count(*) filter (where waits) >= ${COUNTED_DELIVERIES}
          or count(*) filter (where not waits) >= ${COUNTED_DELIVERIES} as is_cut
      from counted
    )
    select coalesce(e.ago, m.ago) as ago, coalesce(m.made, 0) as made, coalesce(e.ended, 0) as ended,
      coalesce(e.failed, 0) as failed, e.quantiles[1] as p50_ms, e.quantiles[2] as p99_ms,
      e.oldest as oldest_ended_s, w.oldest as oldest_waiting_s, w.count as waiting, w.is_cut
    from ended e full join made m on coalesce(e.ago, -1) = coalesce(m.ago, -1) cross join waiting w
    order by ago nulls last`;
}

/** Whole minutes; the clocks of two processes differ, so a time in the future counts as now. */
function minutesSince(sql: Sql, time: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`greatest(floor(date_part('epoch', now() - ${time}) / 60), 0)::int`;
}

/**
 * The query `seen` among everybody's: the newest that wait and the newest that were made within the hour. Those that
 * the viewer may not see are read too, and so count for the bound: `is_passed`.
 */
function seenAmongAll(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  const hourAgo = firstId('dlv', Date.now() - 60 * MINUTE_MS);
  const columns = sql`d.inventory_system_id, d.store_id, d.type, d.user_id`;
  return sql`seen as (
    select d.state, d.created_at, d.finished_at, ${viewer.seesAll ? sql`false` : sql`not ${isSeenBy(sql, viewer)}`} as is_passed
    from (
      (select 'pending' as state, d.created_at, null::timestamptz as finished_at, ${columns}
        from delivery d order by d.delivery_id desc limit ${COUNTED_DELIVERIES})
      union all
      (select d.state, d.created_at, d.finished_at, ${columns} from ended_delivery d
        where d.delivery_id >= ${hourAgo} and ${endedSince(sql, [hourAgo])}
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES})) as d)`;
}

/**
 * The query `seen` of a user: by webhook, and by store. What is read but not counted has `is_passed`: a delivery to an
 * own webhook about an own store, the second time, and an event about a store. It is left out after the limit, because
 * the limit bounds what is read. A store whose linked systems are all the user's own is not read: its deliveries come
 * by their webhooks.
 */
function seenByUser(sql: Sql, { userId }: Viewer): PendingQuery<Row[]> {
  const now = Date.now();
  const starts = PARTS.map((minutes) => firstId('dlv', now - minutes * MINUTE_MS));
  const [hourAgo = BEFORE_ALL_DELIVERIES] = starts;
  return sql`webhooks as (${ownSubscriptions(sql, userId)}), stores as (
      select us.store_id from user_store us where us.user_id = ${userId} and (
        select bool_and(i.created_by = ${userId}) from store_link l join inventory_system i using (inventory_system_id)
        where l.store_id = us.store_id) is not true
    ), seen as (
      ${readParts(
        sql,
        [BEFORE_ALL_DELIVERIES, AFTER_ALL_DELIVERIES],
        (isOf) => sql`
        select d.subscription_id, d.type, 'pending' as state, d.created_at, null::timestamptz as finished_at
        from delivery d where ${isOf}`,
      )}
      union all
      ${readParts(
        sql,
        [...starts, AFTER_ALL_DELIVERIES],
        (isOf) => sql`
        select d.subscription_id, d.type, d.state, d.created_at, d.finished_at
        from ended_delivery d where ${isOf} and ${endedSince(sql, [hourAgo])}`,
      )})`;
}

/**
 * Reads up to `COUNTED_DELIVERIES`, part by part, the newest part first: of each webhook, and of each store. `select` is
 * the query of deliveries `d` for which its condition holds.
 */
function readParts(
  sql: Sql,
  bounds: readonly string[],
  select: (isOf: PendingQuery<Row[]>) => PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  const ids = bounds.toReversed();
  // Compared as rows, they can only be looked up by the index that begins with this column: any index on the id would
  // do for a plan made of an empty partition, and be read whole for each webhook. The limit keeps it from being a join.
  // That the store is not null is the condition of its index, which a comparison of rows does not imply.
  const within = (key: PendingQuery<Row[]>, value: PendingQuery<Row[]>) =>
    sql`(${key}, d.delivery_id) >= (${value}, p.first) and (${key}, d.delivery_id) < (${value}, p.past)`;
  return sql`
    (select e.state, e.created_at, e.finished_at, e.is_passed
    from unnest(${ids.slice(1)}::text[], ${ids.slice(0, -1)}::text[]) as p (first, past)
    cross join lateral (
      select d.*, false as is_passed from webhooks w cross join lateral (
        ${select(sql`${within(sql`d.subscription_id`, sql`w.subscription_id`)} and ${isListed(sql)}`)}
        limit ${COUNTED_DELIVERIES}) as d
      union all
      select d.*, d.type = ${EVENTS}::smallint or d.subscription_id in (select subscription_id from webhooks)
      from stores s cross join lateral (
        ${select(sql`${within(sql`d.store_id`, sql`s.store_id`)} and d.store_id is not null`)}
        limit ${COUNTED_DELIVERIES}) as d
    ) as e
    limit ${COUNTED_DELIVERIES})`;
}
