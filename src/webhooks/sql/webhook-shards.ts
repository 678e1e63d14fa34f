import type { PendingQuery, Row } from 'postgres';
import { COUNTED_WAITING, type ShardHolding, type ShardReport } from '../shard-report';
import type { SubscriptionId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';

/*
 * Every subscription belongs to one of 16 shards, by its id; one worker at a time has a shard: see `shard-owners.ts`.
 */

export interface WaitingSubscription {
  readonly shard: number;
  readonly subscriptionId: SubscriptionId;
  /** When its first unclaimed delivery is due and its pause is over, ms from now. */
  readonly dueMs: number;
}

/**
 * The subscriptions of these shards that will have something to send within `aheadMs`. It looks once at every
 * subscription with pending deliveries.
 */
export async function findWaiting(
  sql: Sql,
  shards: readonly number[],
  aheadMs: number,
): Promise<readonly WaitingSubscription[]> {
  return sql<WaitingSubscription[]>`
    with recursive ${waitingIds(sql)},
    found as materialized (
      select s.shard, s.subscription_id, ${freeMs(sql)} as due_ms
      from ${waitingSubscriptions(sql)} join webhook_shard w using (shard)
      where s.state = 'enabled' and s.shard = any(${[...shards]}::smallint[])
    )
    select shard, subscription_id, due_ms from found where due_ms <= ${aheadMs}::float8`;
}

/** What waits in a shard, and who has it. */
export async function surveyShard(sql: Sql, shard: number): Promise<ShardReport> {
  const [owner] = await sql<{ worker: string }[]>`
    select w.name as worker from webhook_shard s join webhook_worker w using (worker)
    where s.shard = ${shard}::smallint and w.lease_until > now()`;
  const [found] = await sql<
    (Omit<ShardHolding, 'since'> & { since: Date; dueMs: number | null })[]
  >`
    with recursive ${waitingIds(sql)}
    select count(*)::int as subscriptions, sum(held.deliveries)::int as deliveries,
      bool_or(held.deliveries >= ${COUNTED_WAITING}::int) as has_more,
      count(*) filter (where s.state = 'enabled' and s.paused_until > now())::int as paused,
      count(*) filter (where s.state = 'disabled')::int as disabled,
      min(held.since) as since,
      min(case when s.state = 'enabled' then ${freeMs(sql)} end) as due_ms
    from ${waitingSubscriptions(sql)} join webhook_shard w using (shard)
      cross join lateral (
      select count(*) as deliveries, min(created_at) as since from (
        select d.created_at from delivery d
        where d.subscription_id = s.subscription_id
        order by d.due_at, d.sequence limit ${COUNTED_WAITING}) as first) as held
    where s.shard = ${shard}::smallint
    group by s.shard`;
  const worker = owner?.worker ?? null;
  if (found === undefined) return { worker, holding: null, dueMs: null };
  const { dueMs, since, ...holding } = found;
  return { worker, holding: { ...holding, since: since.toISOString() }, dueMs };
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
 * When the first delivery of subscription `s`, of shard `w`, that no living consumer has in flight may be sent, ms from
 * now.
 */
function freeMs(sql: Sql): PendingQuery<Row[]> {
  return sql`(select (extract(epoch from greatest(d.due_at, s.paused_until) - now()) * 1000)::float8
    from delivery d
    where d.subscription_id = s.subscription_id and ${isFree(sql, sql`w.epoch`)}
    order by d.due_at, d.sequence limit 1)`;
}

/**
 * Whether the consumer with this `epoch`, that of the shard of delivery `d`, may claim it: nobody holds it. A lease is
 * over after its time, or when its consumer was replaced.
 */
export function isFree(sql: Sql, epoch: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`(d.lease_until is null or d.lease_until <= now() or d.lease_epoch <> ${epoch})`;
}
