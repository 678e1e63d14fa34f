import type { PendingQuery, Row } from 'postgres';
import type { DisabledReason } from '../attempt/circuit-breaker';
import type { MessageType, PlatformEvent } from '../platform-events';
import type { SubscriptionId, UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { endedSince } from './ended-deliveries';
import { firstId } from '../../platform/ids';

/** How many deliveries are read per subscription and figure, so that the cost does not grow with their number. */
export const COUNTED_DELIVERIES = 1_000;

/** A webhook as its owner sees it. */
export interface SubscriptionHealth {
  readonly subscriptionId: SubscriptionId;
  /** Null for events. */
  readonly inventorySystemId: string | null;
  readonly type: MessageType;
  /** Which events are wanted; null: all. */
  readonly events: readonly PlatformEvent[] | null;
  readonly url: string;
  readonly state: 'enabled' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  readonly maxInFlight: number;
  readonly maxPerSecond: number | null;
  readonly headerNames: readonly string[];
  readonly consecutiveFailures: number;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  /** Up to `PENDING_COUNTED`. */
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Within the last hour; beyond `COUNTED_DELIVERIES` they are estimated from the newest. */
  readonly attempts: number;
  readonly failures: number;
  /** Null without attempts. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export const PENDING_COUNTED = 10_000;
const HOUR_MS = 3_600_000;

/** The webhooks of these systems with the health of their receivers, by type. */
export async function listSubscriptionHealth(
  sql: Sql,
  inventorySystemIds: readonly string[],
): Promise<SubscriptionHealth[]> {
  return healthOf(sql, sql`s.inventory_system_id = any(${[...inventorySystemIds]}::uuid[])`);
}

/** The same for a user's webhook for events; undefined without one. */
export async function findEventsHealth(
  sql: Sql,
  userId: UserId,
): Promise<SubscriptionHealth | undefined> {
  const [row] = await healthOf(sql, sql`s.user_id = ${userId}`);
  return row;
}

/**
 * Computed from stored attempts: the deliveries of the last hour, found by their ids, which begin with their time,
 * and those still waiting. Nothing is counted while deliveries go out, because that would make each of them slower.
 * An attempt that is not its delivery's last one failed; the state of the delivery tells whether the last one did.
 * `which`: a condition on subscription `s`.
 */
async function healthOf(sql: Sql, which: PendingQuery<Row[]>): Promise<SubscriptionHealth[]> {
  const hourAgo = firstId('dlv', Date.now() - HOUR_MS);
  const isOfTheHour = sql`d.delivery_id > ${hourAgo} and ${endedSince(sql, [hourAgo])}`;
  return sql<SubscriptionHealth[]>`
    select s.subscription_id, s.inventory_system_id, s.type, s.events, s.url, s.state, s.disabled_reason,
      s.max_in_flight, s.max_per_second, s.header_names, s.consecutive_failures, s.failing_since, s.paused_until,
      waiting.pending, waiting.oldest_pending_at, succeeded.last_success_at,
      round(tried.attempts * tried.factor)::int as attempts,
      round(tried.failures * tried.factor)::int as failures,
      tried.quantiles[1] as p50_ms, tried.quantiles[2] as p99_ms
    from subscription s
    cross join lateral (
      select count(*)::int as pending, min(created_at) as oldest_pending_at from (
        select d.created_at from delivery d where d.subscription_id = s.subscription_id limit ${PENDING_COUNTED}) as first
    ) as waiting
    cross join lateral (
      select max(finished_at) as last_success_at from (
        select d.finished_at, d.state from ended_delivery d
        where d.subscription_id = s.subscription_id
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES}) as newest
      where state in ('delivered', 'acknowledged')
    ) as succeeded
    cross join lateral (
      with newest as materialized (
        select d.delivery_id, d.state, d.created_at, d.attempts_made, d.attempts_before_resend, d.attempts
        from any_delivery d
        where d.subscription_id = s.subscription_id and ${isOfTheHour}
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES}
      ), waiting_longer as (
        select first.delivery_id, 'pending', first.attempts_made, first.attempts_before_resend from (
          select d.delivery_id, d.attempts_made, d.attempts_before_resend from delivery d
          where d.subscription_id = s.subscription_id
          order by d.due_at limit ${COUNTED_DELIVERIES}) as first
        where first.delivery_id <= ${hourAgo}
      )
      select count(*) as attempts, count(*) filter (where failed) as failures,
        percentile_disc(array[0.5, 0.99]) within group (order by duration_ms) as quantiles,
        (select case when count(*) < ${COUNTED_DELIVERIES} then 1 else greatest(1,
          ${HOUR_MS / 1000} / greatest(extract(epoch from now() - min(created_at)), 0.001)) end
          from newest) as factor
      from (
        select duration_ms, case
            when number < attempts_made and number <> attempts_before_resend then true
            when number = attempts_made then state in ('pending', 'exhausted')
            else coalesce(status not between 200 and 399, true) end as failed
        from (
          -- The attempts of an ended delivery are in its row.
          select state, attempts_made, attempts_before_resend,
            (a).number, (a).started_at, (a).duration_ms, (a).status
          from (select state, attempts_made, attempts_before_resend, unnest(attempts) as a from newest) as ended
          union all
          select d.state, d.attempts_made, d.attempts_before_resend, a.number, a.started_at, a.duration_ms, a.status
          from (
            select delivery_id, state, attempts_made, attempts_before_resend from newest where state = 'pending'
            union all
            select * from waiting_longer
          ) as d join attempt a using (delivery_id)
        ) as a
        where started_at > (select now() - ${HOUR_MS}::int * interval '1 ms')
      ) as each
    ) as tried
    where ${which} and s.deleted_at is null
    order by s.inventory_system_id, s.type`;
}
