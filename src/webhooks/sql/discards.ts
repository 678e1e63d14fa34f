import type { PendingQuery, Row } from 'postgres';
import { isOf, type SubscriptionKey } from './subscriptions';
import type { Sql, Transaction } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { onlyRow } from '../../platform/db/only-row';
import { endedUntried, keepEnded, wantedSince } from './ended-deliveries';
import { notifyRowsDone } from '../../platform/db/row-done';

/** An order is kept this long: by then an event that was being written when it was given has been written. */
const KEPT_SECONDS = 60;

/**
 * Orders that waiting deliveries end `discarded`, in the statement that deletes their webhook or store. `targets` is
 * a query with the columns `subscription_id` and `store_id`; without a store it covers all deliveries of the
 * subscription.
 */
export function orderDiscards(sql: Transaction, targets: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`insert into discard_order (subscription_id, store_id) ${targets}`;
}

/**
 * Whether delivery `d` is meant by order `o` of a store. It is found by the store alone, because a disabled webhook may
 * have a million that wait.
 */
const isOfStore = (sql: Sql): PendingQuery<Row[]> =>
  sql`d.store_id = o.store_id and (d.subscription_id || '') = o.subscription_id and ${wantedSince(sql)} <= o.ordered_at`;

/**
 * Settles orders: an event that began before the order's commit still saw what it deletes, and was written for it. So
 * whoever reads an order first, which is after its commit, sets its time anew; unless what it deleted is there again by
 * then, for which later events are meant.
 */
export async function settleOrders(sql: Sql | Transaction): Promise<void> {
  await sql`
    update discard_order o set settled = true, ordered_at = case when ${isGone(sql)} then clock_timestamp() else ordered_at end
    where not settled`;
}

/** Whether what order `o` is about is still deleted: a webhook, its user's account, or a link of its system. */
function isGone(sql: Sql | Transaction): PendingQuery<Row[]> {
  return sql`case when o.store_id is null
    then exists (
      select from subscription s left join app_user u using (user_id)
      where s.subscription_id = o.subscription_id and (s.deleted_at is not null or u.state <> 'active'))
    else not exists (
      select from subscription s join store_link l using (inventory_system_id)
      where s.subscription_id = o.subscription_id and l.store_id = o.store_id) end`;
}

/**
 * Ends deliveries as ordered, up to `limit` of webhooks and as many of stores; returns how many. Notifies waiting
 * callers. It looks for the deliveries of each order: a join might begin with all that wait, also without an order.
 */
export async function discardOrdered(sql: Sql, limit: number): Promise<number> {
  const orders = await sql`select from discard_order limit 1`;
  if (orders.length === 0) return 0;
  await settleOrders(sql);
  const rows = await sql<{ discarded: number }[]>`
    with of_webhooks as (
      select d.delivery_id from discard_order o cross join lateral (
        select d.delivery_id from delivery d
        where d.subscription_id = o.subscription_id and ${wantedSince(sql)} <= o.ordered_at
        limit ${limit} for update skip locked) as d
      where o.store_id is null
      limit ${limit}
    ), of_stores as (
      select d.delivery_id from discard_order o cross join lateral (
        select d.delivery_id from delivery d where ${isOfStore(sql)}
        limit ${limit} for update skip locked) as d
      limit ${limit}
    ), gone as (
      delete from delivery d using (
        select delivery_id from of_webhooks union select delivery_id from of_stores) c
      where ${keyIs(sql, sql`d.delivery_id`, sql`c.delivery_id`)}
      returning ${endedUntried(sql, 'discarded')}
    ), ${keepEnded(sql)}, told as (
      ${notifyRowsDone(sql, sql`select delivery_id as id from gone where awaited_until > now()`)}
    )
    select count(*)::int as discarded, (select count(*) from told) as told from gone`;
  return onlyRow(rows).discarded;
}

/** Deletes up to `limit` orders that have nothing left to discard; returns how many. */
export async function removeDoneDiscards(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    delete from discard_order where discard_order_id in (
      select o.discard_order_id from discard_order o
      where o.settled and o.ordered_at < now() - ${KEPT_SECONDS}::int * interval '1 s'
        and not exists (
          select from delivery d
          where d.subscription_id = case when o.store_id is null then o.subscription_id end
            and ${wantedSince(sql)} <= o.ordered_at)
        and not exists (
          select from delivery d where ${isOfStore(sql)})
      limit ${limit})
    returning discard_order_id`;
  return rows.length;
}

const BATCH = 1_000;
/** The request discards for this long, which is some ten thousand deliveries; the sweep does the rest. */
const PATIENCE_MS = 2_000;

/** Ends the deliveries that the caller's deletion has ordered to be discarded, as many as the time allows. */
export async function discardWaiting(sql: Sql): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if ((await discardOrdered(sql, BATCH)) < BATCH) return;
  }
}

/** Deletes the webhook of a system for a type, or that of a user. False if there is none (any more). */
export async function deleteSubscription(sql: Sql, key: SubscriptionKey): Promise<boolean> {
  const rows = await sql<{ gone: number }[]>`
    with ended as (
      ${endSubscriptions(sql, isOf(sql, key))}
    ), ordered as (
      ${orderDiscards(sql, sql`select subscription_id, null::bigint from ended`)}
    )
    select count(*)::int as gone from ended`;
  return onlyRow(rows).gone > 0;
}

/** A deleted subscription is also disabled, so that its deliveries do not go out before they are discarded. */
export function endSubscriptions(
  sql: Transaction,
  which: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`
    update subscription s set deleted_at = now(), state = 'disabled',
      disabled_reason = coalesce(s.disabled_reason, 'manual'), health_version = s.health_version + 1
    where ${which} and s.deleted_at is null
    returning s.subscription_id`;
}
