import type { PendingQuery, Row } from 'postgres';
import type { Sql, Transaction } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { timeOfDelivery } from '../delivery-ids';

/*
 * A delivery that ends moves from `delivery`, which holds waiting ones, to `ended_delivery`, whose rows never change;
 * a resend moves it back. Each move is one statement, so every statement sees the delivery in exactly one table. A
 * statement that waits for a row which another one moves finds it gone and leaves it: nothing ends twice.
 */

/**
 * What the `delete from delivery d` of an ending delivery returns. The caller adds the final `attempts_made`,
 * `receiver_status`, `message` and `state`, and `last_attempt`, an `ended_attempt` or null.
 */
export function endingColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`d.delivery_id, d.subscription_id, d.user_id, d.inventory_system_id, d.store_id, d.sequence, d.created_at,
    d.attempts_before_resend, d.type, d.event_type, d.request_id, d.payload, d.awaited_until, d.attempts_made as tried_before`;
}

/** The same for a delivery that ends as `state` without another attempt. */
export function endedUntried(sql: Sql, state: 'discarded'): PendingQuery<Row[]> {
  return sql`${endingColumns(sql)}, d.attempts_made, d.receiver_status, d.message, ${state}::text as state,
    null::ended_attempt as last_attempt`;
}

/**
 * The `with` queries that store what the previous query, named `gone`, took out of `delivery`, with its attempts.
 * `wereTried`: some may have been tried before; their attempts are looked up.
 */
export function keepEnded(sql: Sql, wereTried = true): PendingQuery<Row[]> {
  const forgotten = sql`
    forgotten as (
      delete from attempt a using gone g
      where g.tried_before > 0 and ${keyIs(sql, sql`a.delivery_id`, sql`g.delivery_id`)}
    ),`;
  const attempts = sql`case when g.tried_before = 0 then '{}' else coalesce((
      select array_agg((a.number, a.started_at, a.duration_ms, a.status, a.error, a.detail, a.response)::ended_attempt
        order by a.number)
      from attempt a where a.delivery_id = g.delivery_id), '{}') end`;
  return sql`${wereTried ? forgotten : sql``}
    kept as (
      insert into ended_delivery (delivery_id, subscription_id, user_id, inventory_system_id, store_id,
        sequence, created_at, finished_at, attempts_made, attempts_before_resend, receiver_status, type, event_type,
        state, message, request_id, payload, attempts)
      select g.delivery_id, g.subscription_id, g.user_id, g.inventory_system_id, g.store_id, g.sequence,
        g.created_at, now(), g.attempts_made, g.attempts_before_resend, g.receiver_status, g.type, g.event_type, g.state,
        g.message, g.request_id, g.payload,
        ${wereTried ? attempts : sql`'{}'::ended_attempt[]`}
          || case when g.last_attempt is null then '{}' else array[g.last_attempt] end
      from gone g
    )`;
}

/**
 * The `with` queries that bring back what the previous query, named `back`, took out of `ended_delivery` (all of its
 * columns): the same id and message, due now, with a new retry table; attempt numbers continue.
 */
export function bringBack(sql: Sql): PendingQuery<Row[]> {
  return sql`
    tried as (
      insert into attempt (delivery_id, number, epoch, started_at, duration_ms, status, error, detail, response)
      select b.delivery_id, a.number, 0, a.started_at, a.duration_ms, a.status, a.error, a.detail, a.response
      from back b cross join lateral unnest(b.attempts) as a
    ), resent as (
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id,
        sequence, payload, payload_bytes, attempts_made, attempts_before_resend, receiver_status, message,
        request_id, user_id, created_at, resent_at)
      select delivery_id, 'msg_' || substr(delivery_id, 5), subscription_id, inventory_system_id, type,
        event_type, store_id, sequence, payload, octet_length(payload::text), attempts_made, attempts_made,
        receiver_status, message, request_id, user_id, created_at, now()
      from back
      returning delivery_id, subscription_id
    )`;
}

/**
 * Since when delivery `d` of the queue is wanted: its creation, or the latest resend. It is never due before that. An
 * order to discard is about what was wanted before it.
 */
export function wantedSince(sql: Sql): PendingQuery<Row[]> {
  return sql`coalesce(d.resent_at, d.created_at)`;
}

/**
 * Whether row `d` of `any_delivery` or `ended_delivery` can be one of these: none ends before its creation, whose
 * time is in its id. So older partitions are not read. A day's margin allows for clock differences.
 */
export function endedSince(sql: Transaction, deliveryIds: readonly string[]): PendingQuery<Row[]> {
  const first = Math.min(...deliveryIds.map(timeOfDelivery));
  return sql`(d.finished_at >= to_timestamp(${first - DAY_MS}::float8 / 1000) or d.finished_at is null)`;
}

const DAY_MS = 86_400_000;
