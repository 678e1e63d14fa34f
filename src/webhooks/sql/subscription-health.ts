import type { PendingQuery, Row } from 'postgres';
import type { UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { isOfWebhook } from './delivery-views';
import { endedSince } from './ended-deliveries';
import type { SubscriptionRow } from './subscriptions';
import { firstId } from '../../platform/ids';

/** How many deliveries are read per subscription and figure, so that the cost does not grow with their number. */
export const COUNTED_DELIVERIES = 1_000;
/** Where many webhooks are listed. */
export const LISTED_DELIVERIES = 200;

/** A webhook as its owner sees it. */
export interface SubscriptionHealth extends SubscriptionRow {
  readonly consecutiveFailures: number;
  readonly failingSince: Date | null;
  readonly pausedUntil: Date | null;
  /** Up to `PENDING_COUNTED`. */
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  readonly lastSuccessAt: Date | null;
  /** Within the last hour; where `isCut`, they are estimated from the newest. */
  readonly attempts: number;
  readonly failures: number;
  /** Null without attempts. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** There may have been more in the last hour than were read. */
  readonly isCut: boolean;
}

export const PENDING_COUNTED = 10_000;
const HOUR_MS = 3_600_000;

/** The webhooks of these systems with the health of their receivers, by type. */
export async function listSubscriptionHealth(
  sql: Sql,
  inventorySystemIds: readonly string[],
): Promise<SubscriptionHealth[]> {
  return healthOf(sql, ofSystems(sql, inventorySystemIds));
}

/** The same for a list of many webhooks, without estimates: the attempts of the newest `LISTED_DELIVERIES` only. */
export async function listSubscriptionHealthOfNewest(
  sql: Sql,
  inventorySystemIds: readonly string[],
): Promise<SubscriptionHealth[]> {
  return healthOf(sql, ofSystems(sql, inventorySystemIds), LISTED_DELIVERIES);
}

/** The same for a user's webhook for events; undefined without one. */
export async function findEventsHealth(
  sql: Sql,
  userId: UserId,
): Promise<SubscriptionHealth | undefined> {
  const [row] = await healthOf(sql, sql`s.user_id = ${userId}`);
  return row;
}

function ofSystems(sql: Sql, ids: readonly string[]): PendingQuery<Row[]> {
  return sql`s.inventory_system_id = any(${[...ids]}::uuid[])`;
}

/**
 * Computed from stored attempts: the deliveries of the last hour, found by their ids, which begin with their time,
 * and those still waiting. Nothing is counted while deliveries go out, because that would make each of them slower.
 * `which`: a condition on subscription `s`. `most`: how many deliveries are read; fewer than `COUNTED_DELIVERIES` are
 * too few to tell how many there were in the hour.
 */
async function healthOf(
  sql: Sql,
  which: PendingQuery<Row[]>,
  most: number = COUNTED_DELIVERIES,
): Promise<SubscriptionHealth[]> {
  const hourAgo = firstId('dlv', Date.now() - HOUR_MS);
  return sql<SubscriptionHealth[]>`
    select s.subscription_id, s.inventory_system_id, s.type, s.events, s.url, s.state, s.disabled_reason,
      s.max_in_flight, s.max_per_second, s.header_names, s.consecutive_failures, s.failing_since, s.paused_until,
      waiting.pending, waiting.oldest_pending_at,
      greatest(prompt.last_success_at, ${lateSuccess(sql)}) as last_success_at,
      round(tried.attempts * sample.factor)::int as attempts,
      round(tried.failures * sample.factor)::int as failures,
      tried.quantiles[1] as p50_ms, tried.quantiles[2] as p99_ms, tried.read >= ${most}::int as is_cut
    from subscription s
    cross join lateral (
      select count(*)::int as pending, min(created_at) as oldest_pending_at from (
        select d.created_at from delivery d where d.subscription_id = s.subscription_id limit ${PENDING_COUNTED}) as first
    ) as waiting
    cross join lateral (
      select count(*) as read, max(finished_at) filter (where ${hasSucceeded(sql)}) as last_success_at,
        count(*) filter (where is_of_the_hour) as attempts,
        count(*) filter (where is_of_the_hour and failed) as failures,
        percentile_disc(array[0.5, 0.99]) within group (order by duration_ms) filter (where is_of_the_hour) as quantiles
      from (${attemptsOfHour(sql, hourAgo, most)}) as each
    ) as tried
    cross join lateral (
      select ${most < COUNTED_DELIVERIES ? sql`1` : shareOfHour(sql, hourAgo)} as factor
    ) as sample
    cross join lateral (
      -- Without an offset it would be looked for twice.
      select coalesce(tried.last_success_at, ${newestSuccess(sql)}) as last_success_at offset 0
    ) as prompt
    where ${which} and s.deleted_at is null
    order by s.inventory_system_id, s.type`;
}

/**
 * By how much the attempts that were read are to be multiplied: 1 if they are all of the hour. Only if they may not be,
 * its deliveries are read again and counted.
 */
function shareOfHour(sql: Sql, hourAgo: string): PendingQuery<Row[]> {
  return sql`case when tried.read < ${COUNTED_DELIVERIES} then 1 else (
    select case when count(*) < ${COUNTED_DELIVERIES} then 1 else greatest(1,
      ${HOUR_MS / 1000} / greatest(extract(epoch from now() - min(created_at)), 0.001)) end
    from (${newestOfHour(sql, hourAgo, COUNTED_DELIVERIES)}) as newest) end`;
}

/** The end of the newest successful delivery to subscription `s`, among its newest thousand. */
function newestSuccess(sql: Sql): PendingQuery<Row[]> {
  return sql`(
    select newest.finished_at from (
      select d.finished_at, d.state from ended_delivery d
      where ${isOfWebhook(sql, sql`s.subscription_id`)}
      order by d.subscription_id desc, d.delivery_id desc limit ${COUNTED_DELIVERIES}) as newest
    where ${hasSucceeded(sql)} limit 1)`;
}

/**
 * The latest success of a delivery that took more than 10 s, if it is later than the prompt ones. So the last success
 * is at most 10 s too early, although few rows are read. The condition is that of the index `ended_delivery_late`.
 */
function lateSuccess(sql: Sql): PendingQuery<Row[]> {
  return sql`(
    select max(d.finished_at) from ended_delivery d
    where d.subscription_id = s.subscription_id
      and d.finished_at > coalesce(prompt.last_success_at, '-infinity') and d.finished_at < ${soon(sql)}
      and d.finished_at - d.created_at > interval '10 s' and ${hasSucceeded(sql)})`;
}

/** The newest deliveries of subscription `s` that were made within the hour. */
function newestOfHour(sql: Sql, hourAgo: string, most: number): PendingQuery<Row[]> {
  return sql`
    select d.delivery_id, d.state, d.created_at, d.finished_at, d.attempts_made, d.attempts_before_resend, d.attempts
    from any_delivery d
    where ${isOfWebhook(sql, sql`s.subscription_id`)} and d.delivery_id > ${hourAgo}
      and (d.finished_at < ${soon(sql)} or d.finished_at is null) and ${endedSince(sql, [hourAgo])}
    order by d.subscription_id desc, d.delivery_id desc limit ${most}`;
}

/**
 * The attempts of these, and of those that have been waiting for longer; a delivery without any is one row without a
 * duration. An attempt that is not its delivery's last one failed; the state of the delivery tells whether the last
 * one did. Those of an ended delivery are in its row.
 */
function attemptsOfHour(sql: Sql, hourAgo: string, most: number): PendingQuery<Row[]> {
  return sql`
    select finished_at, state, (a).duration_ms,
      (a).started_at > (select now() - ${HOUR_MS}::int * interval '1 ms') as is_of_the_hour,
      case
        when (a).number < attempts_made and (a).number <> attempts_before_resend then true
        when (a).number = attempts_made then state in ('pending', 'exhausted')
        else coalesce((a).status not between 200 and 399, true) end as failed
    from (
      select finished_at, state, attempts_made, attempts_before_resend,
        unnest(case when attempts = '{}' then '{null}' else attempts end) as a
      from (
        select d.finished_at, d.state, d.attempts_made, d.attempts_before_resend,
          case when d.state = 'pending' then ${attemptsSoFar(sql)} else d.attempts end as attempts
        from (${newestOfHour(sql, hourAgo, most)}) as d
        union all
        select null, 'pending', d.attempts_made, d.attempts_before_resend, ${attemptsSoFar(sql)}
        from (
          select d.delivery_id, d.attempts_made, d.attempts_before_resend from delivery d
          where d.subscription_id = s.subscription_id
          order by d.due_at limit ${most}) as d
        where d.delivery_id <= ${hourAgo}
      ) as tried
    ) as each`;
}

/** Those of waiting delivery `d`, as an ended one would have them. */
function attemptsSoFar(sql: Sql): PendingQuery<Row[]> {
  return sql`coalesce((
    select array_agg((a.number, a.started_at, a.duration_ms, a.status, null, null, null)::ended_attempt)
    from attempt a where a.delivery_id = d.delivery_id), '{}')`;
}

function hasSucceeded(sql: Sql): PendingQuery<Row[]> {
  return sql`state in ('delivered', 'acknowledged')`;
}

/** Nothing ends later than that, so partitions that were made ahead are not read. */
function soon(sql: Sql): PendingQuery<Row[]> {
  return sql`now() + interval '1 h'`;
}
