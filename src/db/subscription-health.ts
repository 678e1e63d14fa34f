import type { DisabledReason } from '../domain/breaker';
import type { WebhookType } from '../domain/webhook-body';
import type { SubscriptionId } from '../ids';
import type { Sql } from './client';

/** Deliveries that are looked at of each subscription and for each figure, so that a look costs the same however many there are. */
export const COUNTED_DELIVERIES = 1_000;

/** A webhook as its owner sees it. */
export interface SubscriptionHealth {
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly type: WebhookType;
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
  /** Of an hour; past `COUNTED_DELIVERIES` they are worked out from the newest. */
  readonly attempts: number;
  readonly failures: number;
  /** Null without attempts. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export const PENDING_COUNTED = 10_000;
const HOUR_MS = 3_600_000;

/**
 * The webhooks of these systems with what is known of their receivers, by type. From what is kept of each attempt: the
 * deliveries of the last hour, found by their ids, which begin with their time, and those that still wait. Nothing is
 * counted while deliveries go out, which would cost each of them. An attempt that is not its delivery's last one
 * failed; whether the last one did is told by what became of the delivery.
 */
export async function listSubscriptionHealth(
  sql: Sql,
  inventorySystemIds: readonly string[],
): Promise<SubscriptionHealth[]> {
  const hourAgo = `dlv_${(Date.now() - HOUR_MS).toString(16).padStart(12, '0')}`;
  return sql<SubscriptionHealth[]>`
    select s.subscription_id, s.inventory_system_id, s.type, s.url, s.state, s.disabled_reason,
      s.max_in_flight, s.max_per_second, s.header_names, s.consecutive_failures, s.failing_since, s.paused_until,
      waiting.pending, waiting.oldest_pending_at, succeeded.last_success_at,
      round(tried.attempts * share.factor)::int as attempts,
      round(tried.failures * share.factor)::int as failures,
      tried.quantiles[1] as p50_ms, tried.quantiles[2] as p99_ms
    from subscription s
    cross join lateral (
      select count(*)::int as pending, min(created_at) as oldest_pending_at from (
        select d.created_at from delivery d
        where d.subscription_id = s.subscription_id and d.state = 'pending'
        limit ${PENDING_COUNTED}) as first
    ) as waiting
    cross join lateral (
      select max(finished_at) as last_success_at from (
        select d.finished_at, d.state from delivery d
        where d.subscription_id = s.subscription_id
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES}) as newest
      where state in ('delivered', 'acknowledged')
    ) as succeeded
    cross join lateral (
      select case when count(*) < ${COUNTED_DELIVERIES} then 1 else greatest(1,
        ${HOUR_MS / 1000} / greatest(extract(epoch from now() - min(created_at)), 0.001)) end as factor
      from (
        select d.created_at from delivery d
        where d.subscription_id = s.subscription_id and d.delivery_id > ${hourAgo}
        order by d.delivery_id desc limit ${COUNTED_DELIVERIES}) as newest
    ) as share
    cross join lateral (
      select count(*) as attempts, count(*) filter (where failed) as failures,
        percentile_disc(array[0.5, 0.99]) within group (order by duration_ms) as quantiles
      from (
        select a.duration_ms, case
            when a.number < d.attempts_made and a.number <> d.attempts_before_resend then true
            when a.number = d.attempts_made then d.state in ('pending', 'exhausted')
            else coalesce(a.status not between 200 and 399, true) end as failed
        from (
          (select d.delivery_id, d.state, d.attempts_made, d.attempts_before_resend from delivery d
            where d.subscription_id = s.subscription_id and d.delivery_id > ${hourAgo}
            order by d.delivery_id desc limit ${COUNTED_DELIVERIES})
          union
          (select d.delivery_id, d.state, d.attempts_made, d.attempts_before_resend from delivery d
            where d.subscription_id = s.subscription_id and d.state = 'pending'
            order by d.due_at limit ${COUNTED_DELIVERIES})
        ) as d join attempt a using (delivery_id)
        where a.started_at > now() - ${HOUR_MS}::int * interval '1 ms'
      ) as each
    ) as tried
    where s.inventory_system_id = any(${[...inventorySystemIds]}::uuid[]) and s.deleted_at is null
    order by s.inventory_system_id, s.type`;
}
