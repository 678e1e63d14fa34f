import type { PendingQuery, Row } from 'postgres';
import { COUNTED_WAITING, type LineHolding } from '../lines/line-report';
import type { SubscriptionId } from '../../platform/ids';
import type { Sql, Transaction } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import type { LineEpoch } from './line-promises';

/*
 * Every subscription belongs to a line; one drain at a time works on a line, for all its subscriptions. A drain
 * begins by taking a new, higher epoch, which all its later statements carry: once the line has a higher one, they
 * claim nothing more. So a process that was thought dead and wakes up cannot disturb its successor, and the successor
 * need not wait for leases to end.
 */

/** The line of a subscription: the first byte of its id's hash, modulo the lines in use. */
export function lineOf(sql: Transaction, subscriptionId: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`mod(get_byte(decode(md5(${subscriptionId}), 'hex'), 0), (select shards from webhook_shards))`;
}

export interface WaitingSubscription {
  readonly line: number;
  readonly subscriptionId: SubscriptionId;
  /** When its first unclaimed delivery is due and its pause is over, ms from now. */
  readonly dueMs: number;
}

/** What `lookAtLines` finds. */
export interface LinesLook {
  /** See `findSleepingLines`. */
  readonly sleeping: readonly LineEpoch[];
  /** The subscriptions of the requested lines that will have something to send within `aheadMs`. */
  readonly waiting: readonly WaitingSubscription[];
}

/**
 * Looks once at every subscription with pending deliveries: which lines sleep, and which subscriptions of `own` lines
 * will have something to send within `aheadMs`.
 */
export async function lookAtLines(
  sql: Sql,
  own: readonly number[],
  aheadMs: number,
): Promise<LinesLook> {
  const rows = await sql<(WaitingSubscription | (LineEpoch & { subscriptionId: null }))[]>`
    with recursive ${waitingIds(sql)},
    found as materialized (
      select s.line, w.epoch, s.subscription_id, ${isAsleep(sql)} as is_asleep,
        case when s.line = any(${[...own]}::smallint[]) then ${freeMs(sql)} end as due_ms
      from ${waitingSubscriptions(sql)} join webhook_line w using (line)
      where s.state = 'enabled'
    )
    select line, epoch, null as subscription_id, null as due_ms from found
    where is_asleep group by line, epoch
    union all
    select line, epoch, subscription_id, due_ms from found where due_ms <= ${aheadMs}::float8`;
  return {
    sleeping: rows.filter((row) => row.subscriptionId === null),
    waiting: rows.filter((row) => row.subscriptionId !== null),
  };
}

/** What a line holds, and when its first delivery is due, ms from now; null if none becomes due by itself. */
export type SurveyedLine = LineHolding & { readonly line: number; readonly dueMs: number | null };

/** One row for each of these lines that holds anything. */
export async function surveyLines(sql: Sql, lines: readonly number[]): Promise<SurveyedLine[]> {
  const rows = await sql<(Omit<SurveyedLine, 'since'> & { since: Date })[]>`
    with recursive ${waitingIds(sql)}
    select s.line, count(*) as subscriptions, sum(held.deliveries)::int as deliveries,
      bool_or(held.deliveries >= ${COUNTED_WAITING}::int) as has_more,
      count(*) filter (where s.state = 'enabled' and s.paused_until > now()) as paused,
      count(*) filter (where s.state = 'disabled') as disabled,
      min(held.since) as since,
      min(case when s.state = 'enabled' then ${freeMs(sql)} end) as due_ms
    from ${waitingSubscriptions(sql)} join webhook_line w using (line)
      cross join lateral (
      select count(*) as deliveries, min(created_at) as since from (
        select d.created_at from delivery d
        where d.subscription_id = s.subscription_id
        order by d.due_at, d.sequence limit ${COUNTED_WAITING}) as first) as held
    where s.line = any(${[...lines]}::smallint[])
    group by s.line`;
  return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
}

/**
 * `waiting`: the ids of all subscriptions with pending deliveries. It steps from one to the next over the index, so
 * its cost depends on their number, not on the number of deliveries or of all subscriptions.
 */
export function waitingIds(sql: Sql): PendingQuery<Row[]> {
  return sql`waiting(subscription_id) as (
    (select d.subscription_id from delivery d
      order by d.subscription_id limit 1)
    union all
    select (select d.subscription_id from delivery d
      where d.subscription_id > w.subscription_id
      order by d.subscription_id limit 1)
    from waiting w where w.subscription_id is not null
  )`;
}

/** The subscriptions `s` of `waiting`, each looked up. */
export function waitingSubscriptions(sql: Sql): PendingQuery<Row[]> {
  return sql`waiting join subscription s
    on ${keyIs(sql, sql`s.subscription_id`, sql`waiting.subscription_id`)}`;
}

/**
 * When the first delivery of subscription `s`, of line `w`, that no living drain has in flight may be sent, ms from
 * now.
 */
function freeMs(sql: Sql): PendingQuery<Row[]> {
  return sql`(select (extract(epoch from greatest(d.due_at, s.paused_until) - now()) * 1000)::float8
    from delivery d
    where d.subscription_id = s.subscription_id and ${isFree(sql, sql`w.epoch`)}
    order by d.due_at, d.sequence limit 1)`;
}

/**
 * Whether the drain with this `epoch`, that of the line of delivery `d`, may claim it: no living drain holds it. A
 * lease is over after its time, or when its drain was replaced. Most leases have the epoch of the line, so they are
 * recognised without reading other lines; this matters because a claim passes over everything in flight.
 */
export function isFree(sql: Sql, epoch: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`(d.lease_until is null or d.lease_until <= now()
    or (d.lease_epoch <> ${epoch}
      and not exists (select from webhook_line owner where owner.epoch = d.lease_epoch)))`;
}

/**
 * Distributes all subscriptions over this many lines; returns how many were moved. A drain with deliveries of a moved
 * subscription in flight finishes them: their leases hold as long as it has its line. The drain of the new line waits
 * for that (`isHeldElsewhere` of a claim).
 */
export async function assignLines(sql: Sql, shards: number): Promise<number> {
  await sql`update webhook_shards set shards = ${shards}::smallint where shards <> ${shards}::smallint`;
  const moved = await sql`
    update subscription set line = ${lineOf(sql, sql`subscription_id`)}, moved_at = clock_timestamp()
    where line <> ${lineOf(sql, sql`subscription_id`)}`;
  return moved.count;
}

/** The lines that have something to send but no drain, with their latest epoch. */
export async function findSleepingLines(sql: Sql): Promise<readonly LineEpoch[]> {
  return sql<LineEpoch[]>`
    with recursive ${waitingIds(sql)}
    select distinct s.line, w.epoch from ${waitingSubscriptions(sql)} join webhook_line w using (line)
    where s.state = 'enabled' and ${isAsleep(sql)}`;
}

/** Whether the enabled subscription `s` has something to send, and its line `w` no drain. */
function isAsleep(sql: Sql): PendingQuery<Row[]> {
  return sql`(coalesce(s.paused_until <= now(), true) and coalesce(w.alive_until <= now(), true)
    and exists (
      select from delivery d
      where d.subscription_id = s.subscription_id and d.due_at <= now()))`;
}
