import type { PendingQuery, Row } from 'postgres';
import {
  type DisabledReason,
  FAILURES_TO_PAUSE,
  type ReceiverHealth,
} from '../attempt/circuit-breaker';
import type { DeliveryId, SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { endingColumns, keepEnded } from './ended-deliveries';
import { notifyRowsDone } from '../../platform/db/row-done';

/** The outcome of one attempt, and what it means for the delivery. */
export interface AttemptOutcome {
  readonly deliveryId: DeliveryId;
  /** Of the shard as the delivery was claimed; outcomes of an earlier owner are ignored. */
  readonly epoch: number;
  /** Number of the attempt, from 1. */
  readonly number: number;
  readonly state: 'delivered' | 'acknowledged' | 'refused' | 'exhausted' | 'pending';
  /** For `pending`: when to try again, ms from now. */
  readonly delayMs: number | null;
  /** The attempts made before the latest resend, as of the claim. */
  readonly attemptsBeforeResend: number;
  /**
   * When to try again if it was resent since the claim, ms from now: then this is the first attempt of a new retry
   * table. Null: it ends all the same.
   */
  readonly afterResendMs: number | null;
  /** By the database's clock, Unix time in ms. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** What is wrong, in words. */
  readonly detail: string | null;
  /** First 1 KB of the answer. */
  readonly response: string | null;
  /** The receiver's message, cleaned. */
  readonly message: string | null;
  /** It asked to be left alone for a while. */
  readonly isBusy?: boolean;
}

export interface ReleasedDelivery {
  readonly deliveryId: DeliveryId;
  readonly epoch: number;
}

/** What is now known about a receiver. */
export interface HealthChange {
  readonly subscriptionId: SubscriptionId;
  readonly epoch: number;
  /** Changes learned from an earlier URL, or before an enabling, are ignored, as are those of a replaced consumer. */
  readonly healthVersion: number;
  readonly health: ReceiverHealth;
  /** Set only when these very outcomes disable the subscription; repeating it later could undo an enabling. */
  readonly disable: DisabledReason | null;
}

export interface OutcomeBatch {
  readonly attempts: readonly AttemptOutcome[];
  readonly released: readonly ReleasedDelivery[];
  readonly health: readonly HealthChange[];
}

/**
 * In one statement, writes outcomes, attempts and the receivers' health, and notifies waiting callers; `keepEnded`
 * moves what has ended to `ended_delivery`. Repeating it changes nothing. Outcomes from an earlier owner of the shard, or
 * of deliveries that have ended, change nothing. A delivery that was resent since the claim is tried again instead of
 * ending `exhausted`. The announcement of a plain acknowledgement carries its status; for other ends the caller reads
 * the row. A receiver's latest message stays when an attempt ends without an answer, because it belongs to the latest
 * answer.
 */
export async function recordOutcomes(sql: Sql, batch: OutcomeBatch): Promise<void> {
  const { attempts, released, health } = batch;
  // Postgres sets up each part whenever the statement runs, also one that has nothing to do. So most have few parts.
  const mayStay = attempts.some(({ state }) => state === 'pending' || state === 'exhausted');
  const wereTried = attempts.some(({ number }) => number > 1);
  await sql`
    with ${outcomes(sql, attempts)}, gone as (
      delete from delivery d using outcome o
      where o.state <> 'pending' and ${isClaimed(sql)}
      returning ${endingColumns(sql)}, o.number as attempts_made, o.state,
        ${latestWord(sql, sql`d.receiver_status`, sql`o.status`)} as receiver_status,
        ${latestWord(sql, sql`d.message`, sql`o.message`)} as message,
        (o.number, to_timestamp(o.started_at / 1000), o.duration_ms, o.status, o.error, o.detail, o.response)::ended_attempt
          as last_attempt
    ), ${keepEnded(sql, wereTried)}
    ${mayStay ? postpone(sql) : sql``}
    ${released.length > 0 ? release(sql, released) : sql``}
    ${health.length > 0 ? learn(sql, health) : sql``}
    ${notifyRowsDone(
      sql,
      sql`select delivery_id || case when state = 'acknowledged' and message is null
          then ':' || receiver_status else '' end as id
        from gone where awaited_until > now()`,
    )}`;
}

/** Keeps those that are tried again. */
function postpone(sql: Sql): PendingQuery<Row[]> {
  return sql`, postponed as (
      update delivery d set attempts_made = o.number, lease_epoch = null, lease_until = null,
        due_at = now() + ${delayMs(sql)} * interval '1 ms',
        wait_reason = o.wait_reason,
        receiver_status = ${latestWord(sql, sql`d.receiver_status`, sql`o.status`)},
        message = ${latestWord(sql, sql`d.message`, sql`o.message`)}
      from outcome o
      where o.state = 'pending' and ${isClaimed(sql)}
      returning o.*, d.subscription_id
    ), added as (
      insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status, error, detail, response)
      select delivery_id, number, epoch, to_timestamp(started_at / 1000), duration_ms, status, error, detail,
        response
      from postponed
    )`;
}

/** Ends claims without an attempt. */
function release(sql: Sql, released: readonly ReleasedDelivery[]): PendingQuery<Row[]> {
  return sql`, released as (
      update delivery d set lease_epoch = null, lease_until = null
      from unnest(
        ${released.map((each) => each.deliveryId)}::text[],
        ${released.map((each) => each.epoch)}::bigint[]) as r(delivery_id, epoch)
      where ${keyIs(sql, sql`d.delivery_id`, sql`r.delivery_id`)} and d.lease_epoch = r.epoch
    )`;
}

function learn(sql: Sql, health: readonly HealthChange[]): PendingQuery<Row[]> {
  return sql`, learned as (
      update subscription s set consecutive_failures = h.failures,
        failing_since = to_timestamp(h.failing_since / 1000),
        paused_until = to_timestamp(h.paused_until / 1000), pause_asked = h.pause_asked::boolean,
        -- Nobody needs to know of a pause that the receiver asks for, unless that goes on. Reset by the first success
        -- after a pause; a 410 does not count as one.
        told_paused = case when h.failures >= ${FAILURES_TO_PAUSE}::int then true
          when h.failures > 0 or h.paused_until is not null or s.state = 'disabled' or h.disable is not null then s.told_paused
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
        ${health.map((each) => String(each.health.isPauseAsked))}::text[],
        ${health.map((each) => each.disable)}::text[])
        as h(subscription_id, epoch, health_version, failures, failing_since, paused_until, pause_asked, disable)
      where s.subscription_id = h.subscription_id and s.health_version = h.health_version
        and exists (select from webhook_shard w where w.shard = s.shard and w.epoch = h.epoch)
    )`;
}

/**
 * The `with` queries that make `attempts` a query named `outcome`. An `exhausted` delivery is locked first, so that a
 * resend comes before its end or after it: a resend in between would find it, and it would end nevertheless.
 */
function outcomes(sql: Sql, attempts: readonly AttemptOutcome[]): PendingQuery<Row[]> {
  if (!attempts.some(({ state }) => state === 'exhausted')) {
    return sql`outcome as materialized (${given(sql, attempts)})`;
  }
  return sql`given as (${given(sql, attempts)}), last_tried as (
      select d.delivery_id, d.attempts_before_resend from delivery d, given o
      where o.state = 'exhausted' and ${isClaimed(sql)} for update of d
    ), outcome as materialized (
      select o.delivery_id, o.epoch, o.number,
        case when l.attempts_before_resend <> o.attempts_before_resend and o.after_resend_ms is not null
          then 'pending' else o.state end as state,
        o.delay_ms, o.attempts_before_resend, o.after_resend_ms, o.started_at, o.duration_ms, o.status, o.error,
        o.detail, o.response, o.message, o.wait_reason
      from given o left join last_tried l using (delivery_id)
    )`;
}

/** The attempts as rows. */
function given(sql: Sql, attempts: readonly AttemptOutcome[]): PendingQuery<Row[]> {
  return sql`
    select * from unnest(
      ${attempts.map((each) => each.deliveryId)}::text[],
      ${attempts.map((each) => each.epoch)}::bigint[],
      ${attempts.map((each) => each.number)}::int[],
      ${attempts.map((each) => each.state)}::text[],
      ${attempts.map((each) => each.delayMs)}::float8[],
      ${attempts.map((each) => each.attemptsBeforeResend)}::int[],
      ${attempts.map((each) => each.afterResendMs)}::float8[],
      ${attempts.map((each) => each.startedAt)}::float8[],
      ${attempts.map((each) => each.durationMs)}::int[],
      ${attempts.map((each) => each.status)}::int[],
      ${attempts.map((each) => each.error)}::text[],
      ${attempts.map((each) => each.detail)}::text[],
      ${attempts.map((each) => each.response)}::text[],
      ${attempts.map((each) => each.message)}::text[],
      ${attempts.map((each) => (each.isBusy ? 'receiver_busy' : 'receiver_failing'))}::text[])
      as o(delivery_id, epoch, number, state, delay_ms, attempts_before_resend, after_resend_ms, started_at,
        duration_ms, status, error, detail, response, message, wait_reason)`;
}

/** For outcome `o` of delivery `d`, read as it is when it is written: a resend may have come since the claim. */
function delayMs(sql: Sql): PendingQuery<Row[]> {
  return sql`case when d.attempts_before_resend = o.attempts_before_resend then o.delay_ms
    else coalesce(o.after_resend_ms, o.delay_ms) end`;
}

/** Whether delivery `d` still waits and is claimed for the very attempt of outcome `o`. */
function isClaimed(sql: Sql): PendingQuery<Row[]> {
  return sql`${keyIs(sql, sql`d.delivery_id`, sql`o.delivery_id`)} and d.lease_epoch = o.epoch and d.attempts_made = o.number - 1`;
}

function latestWord(
  sql: Sql,
  before: PendingQuery<Row[]>,
  now: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`case when o.status is null and o.state in ('pending', 'exhausted') then ${before} else ${now} end`;
}

/**
 * For an attempt whose row Postgres rejects: records only the new state of the delivery, with status and message of
 * this attempt. Sends no announcement; a waiting caller reads the row at its deadline.
 */
export async function recordWithoutAttempt(sql: Sql, outcome: AttemptOutcome): Promise<void> {
  await sql`
    with ${outcomes(sql, [outcome])}, gone as (
      delete from delivery d using outcome o where o.state <> 'pending' and ${isClaimed(sql)}
      returning ${endingColumns(sql)}, o.number as attempts_made, o.state, o.status as receiver_status, o.message,
        null::ended_attempt as last_attempt
    ), ${keepEnded(sql)}
    update delivery d set attempts_made = o.number, lease_epoch = null, lease_until = null,
      due_at = now() + ${delayMs(sql)} * interval '1 ms', receiver_status = o.status, message = o.message,
      wait_reason = o.wait_reason
    from outcome o where o.state = 'pending' and ${isClaimed(sql)}`;
}
