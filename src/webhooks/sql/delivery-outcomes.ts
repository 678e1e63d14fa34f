import type { PendingQuery, Row } from 'postgres';
import type { DisabledReason, ReceiverHealth } from '../attempt/receiver-health';
import type { DeliveryId, SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { endingColumns, keepEnded } from './ended-deliveries';
import { notifyRowsDone } from '../../platform/db/row-done';

/** What became of one attempt, and what that makes of its delivery. */
export interface AttemptOutcome {
  readonly deliveryId: DeliveryId;
  /** The drain that claimed the delivery; another one's outcome is not taken. */
  readonly epoch: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly state: 'delivered' | 'acknowledged' | 'refused' | 'exhausted' | 'pending';
  /** For `pending`: when to try again, ms from now. */
  readonly delayMs: number | null;
  /** By the database's clock, ms since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** First 1 KB of the answer. */
  readonly response: string | null;
  /** The receiver's words, cleaned. */
  readonly message: string | null;
}

export interface ReleasedDelivery {
  readonly deliveryId: DeliveryId;
  readonly epoch: number;
}

/** What is now known about a receiver. */
export interface HealthChange {
  readonly subscriptionId: SubscriptionId;
  readonly epoch: number;
  /** What was learned of an earlier URL, or before an enabling, is not taken. */
  readonly healthVersion: number;
  readonly health: ReceiverHealth;
  /** Set when these very outcomes disable the subscription; never a reminder, which could undo an enabling. */
  readonly disable: DisabledReason | null;
}

export interface OutcomeBatch {
  readonly attempts: readonly AttemptOutcome[];
  readonly released: readonly ReleasedDelivery[];
  readonly health: readonly HealthChange[];
}

/**
 * Writes outcomes, attempts and what they say about the receivers, and tells whoever waits, in one statement.
 * Repeating it changes nothing. What was claimed by an older drain, or is finished already, is left as it is.
 * Of an acknowledgement without words whoever waits is told all, its status; other ends are to be looked at.
 * A receiver's latest words stay when an attempt ends without an answer: they belong to its latest answer.
 */
export async function recordOutcomes(sql: Sql, batch: OutcomeBatch): Promise<void> {
  const { attempts, released, health } = batch;
  await sql`
    with outcome as (
      select * from unnest(
        ${attempts.map((each) => each.deliveryId)}::text[],
        ${attempts.map((each) => each.epoch)}::bigint[],
        ${attempts.map((each) => each.number)}::int[],
        ${attempts.map((each) => each.state)}::text[],
        ${attempts.map((each) => each.delayMs)}::float8[],
        ${attempts.map((each) => each.startedAt)}::float8[],
        ${attempts.map((each) => each.durationMs)}::int[],
        ${attempts.map((each) => each.status)}::int[],
        ${attempts.map((each) => each.error)}::text[],
        ${attempts.map((each) => each.response)}::text[],
        ${attempts.map((each) => each.message)}::text[])
        as o(delivery_id, epoch, number, state, delay_ms, started_at, duration_ms, status, error,
          response, message)
    ), gone as (
      delete from delivery d using outcome o
      where o.state <> 'pending' and ${isClaimed(sql)}
      returning ${endingColumns(sql)}, o.number as attempts_made, o.state,
        ${latestWord(sql, sql`d.receiver_status`, sql`o.status`)} as receiver_status,
        ${latestWord(sql, sql`d.message`, sql`o.message`)} as message,
        (o.number, to_timestamp(o.started_at / 1000), o.duration_ms, o.status, o.error, o.response)::ended_attempt
          as last_attempt
    ), ${keepEnded(sql)}, postponed as (
      update delivery d set attempts_made = o.number, lease_until = null,
        due_at = now() + o.delay_ms * interval '1 ms',
        receiver_status = ${latestWord(sql, sql`d.receiver_status`, sql`o.status`)},
        message = ${latestWord(sql, sql`d.message`, sql`o.message`)}
      from outcome o
      where o.state = 'pending' and ${isClaimed(sql)}
      returning o.*
    ), added as (
      insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status, error, response)
      select delivery_id, number, epoch, to_timestamp(started_at / 1000), duration_ms, status, error,
        response
      from postponed
    ), let_go as (
      update delivery d set lease_until = null
      from unnest(
        ${released.map((each) => each.deliveryId)}::text[],
        ${released.map((each) => each.epoch)}::bigint[]) as r(delivery_id, epoch)
      where d.delivery_id = r.delivery_id and d.lease_epoch = r.epoch
    ), learned as (
      update subscription s set consecutive_failures = h.failures,
        failing_since = to_timestamp(h.failing_since / 1000),
        paused_until = to_timestamp(h.paused_until / 1000),
        -- Its first success ends what a pause began; a 410 is an answer, but none of a receiver at work.
        told_paused = case when h.paused_until is not null then true
          when h.failures > 0 or s.state = 'disabled' or h.disable is not null then s.told_paused
          else false end,
        state = case when h.disable is null then s.state else 'disabled' end,
        disabled_reason = coalesce(s.disabled_reason, h.disable)
      from unnest(
        ${health.map((each) => each.subscriptionId)}::text[],
        ${health.map((each) => each.epoch)}::bigint[],
        ${health.map((each) => each.healthVersion)}::int[],
        ${health.map((each) => each.health.consecutiveFailures)}::int[],
        ${health.map((each) => each.health.failingSince)}::float8[],
        ${health.map((each) => each.health.pausedUntil)}::float8[],
        ${health.map((each) => each.disable)}::text[])
        as h(subscription_id, epoch, health_version, failures, failing_since, paused_until, disable)
      where s.subscription_id = h.subscription_id and s.health_version = h.health_version
        and exists (select from webhook_line w where w.line = s.line and w.epoch = h.epoch)
    )
    ${notifyRowsDone(
      sql,
      sql`select delivery_id || case when state = 'acknowledged' and message is null
          then ':' || receiver_status else '' end as id
        from gone where awaited_until > now()`,
    )}`;
}

/** Whether delivery `d` is the one that outcome `o` tells of: still waiting, and claimed for that very attempt. */
function isClaimed(sql: Sql): PendingQuery<Row[]> {
  return sql`d.delivery_id = o.delivery_id and d.lease_epoch = o.epoch and d.attempts_made = o.number - 1`;
}

function latestWord(
  sql: Sql,
  before: PendingQuery<Row[]>,
  now: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`case when o.status is null and o.state in ('pending', 'exhausted') then ${before} else ${now} end`;
}

/**
 * Tells the delivery alone what became of its attempt, in the way of `recordOutcomes`: the attempt is what Postgres
 * does not take. Nobody is notified, whoever waits looks at the row in the end.
 */
export async function recordWithoutAttempt(sql: Sql, outcome: AttemptOutcome): Promise<void> {
  const { deliveryId, epoch, number, state, delayMs, status, message } = outcome;
  await sql`
    with o as (
      select ${deliveryId}::text as delivery_id, ${epoch}::bigint as epoch, ${number}::int as number
    ), gone as (
      delete from delivery d using o where ${state}::text <> 'pending' and ${isClaimed(sql)}
      returning ${endingColumns(sql)}, o.number as attempts_made, ${state}::text as state,
        ${status}::int as receiver_status, ${message}::text as message, null::ended_attempt as last_attempt
    ), ${keepEnded(sql)}
    update delivery d set attempts_made = o.number, lease_until = null,
      due_at = now() + ${delayMs}::float8 * interval '1 ms',
      receiver_status = ${status}::int, message = ${message}::text
    from o where ${state}::text = 'pending' and ${isClaimed(sql)}`;
}
