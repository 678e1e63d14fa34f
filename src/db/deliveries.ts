import type { PendingQuery, Row } from 'postgres';
import type { DeliveryState } from '../domain/delivery';
import type { PayloadText, WebhookType } from '../domain/webhook-body';
import { deliveryIdOf, deliveryIdRange, type EventId, messageIdOf } from '../delivery-ids';
import type { DeliveryId, SubscriptionId, UserId } from '../ids';
import type { Sql } from './client';
import { type IdempotencyMark, isMarkHeld } from './idempotency';

export interface NewDelivery {
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly payload: PayloadText;
}

/** One accepted event: what it becomes for each subscription that gets it. At least one. */
export interface NewEvent {
  readonly eventId: EventId;
  readonly type: WebhookType;
  /** Null for a test. */
  readonly storeId: number | null;
  readonly deliveries: readonly NewDelivery[];
  readonly userId: UserId;
  readonly requestId: string;
  /** How long the caller waits, ms; 0 = nobody waits and nobody needs to be told. */
  readonly waitMs: number;
  readonly mark: IdempotencyMark | null;
}

/** Who is to be told of a subscription's new row, and how. */
export interface SubscriptionWakefulness {
  readonly subscriptionId: SubscriptionId;
  /** The entity is at work and looks again by itself; a NOTIFY makes it do so at once. */
  readonly alive: boolean;
  /** Disabled or paused: nothing goes out for now, whoever is told. */
  readonly held: boolean;
}

/**
 * Writes the deliveries of an event in one statement and says of each subscription whether its entity is at work.
 * No lock on the subscription: at a thousand events a second it would be what all of them wait for. So an entity may
 * go idle while this runs, which is why it looks once more 100 ms later.
 * Undefined when the idempotency mark was lost to another request meanwhile; then nothing is written.
 */
export async function insertEvent(
  sql: Sql,
  event: NewEvent,
): Promise<SubscriptionWakefulness[] | undefined> {
  const { eventId, type, storeId, deliveries, userId, requestId, waitMs, mark } = event;
  const deliveryIds = deliveries.map((_, number) => deliveryIdOf(eventId, number));
  const subscriptionIds = deliveries.map((each) => each.subscriptionId);
  const rows = await sql<SubscriptionWakefulness[]>`
    with mark as (${isMarkHeld(sql, mark, eventId)}),
    made as (
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, store_id,
        payload, awaited_until, request_id, user_id)
      select n.delivery_id, n.message_id, n.subscription_id, n.inventory_system_id, ${type}::smallint,
        ${storeId}::bigint, n.payload::json, now() + nullif(${waitMs}::int, 0) * interval '1 ms',
        ${requestId}, ${userId}
      from mark, unnest(${deliveryIds}::text[], ${deliveryIds.map(messageIdOf)}::text[],
        ${subscriptionIds}::text[], ${deliveries.map((each) => each.inventorySystemId)}::uuid[],
        ${deliveries.map((each) => each.payload)}::text[])
        as n (delivery_id, message_id, subscription_id, inventory_system_id, payload)
    )
    select ${wakefulness(sql)} from mark, subscription s where s.subscription_id = any(${subscriptionIds}::text[])`;
  return rows.length > 0 ? rows : undefined;
}

/** The same of subscriptions whose rows are committed already. */
export async function findWakefulness(
  sql: Sql,
  subscriptionIds: readonly SubscriptionId[],
): Promise<SubscriptionWakefulness[]> {
  return sql<SubscriptionWakefulness[]>`
    select ${wakefulness(sql)} from subscription s
    where s.subscription_id = any(${[...subscriptionIds]}::text[])`;
}

function wakefulness(sql: Sql): PendingQuery<Row[]> {
  return sql`s.subscription_id, coalesce(s.alive_until > now(), false) as alive,
    s.state = 'disabled' or coalesce(s.paused_until > now(), false) as held`;
}

export interface DeliveryOutcome {
  readonly deliveryId: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string;
  readonly state: DeliveryState;
  readonly receiverStatus: number | null;
  readonly message: string | null;
}

export async function findDeliveryOutcome(
  sql: Sql,
  deliveryId: DeliveryId,
): Promise<DeliveryOutcome | undefined> {
  const [row] = await sql<DeliveryOutcome[]>`
    select delivery_id, subscription_id, inventory_system_id, state, receiver_status, message
    from delivery where delivery_id = ${deliveryId}`;
  return row;
}

/** What an event became, in the order of its deliveries; for a retry of the request that made it. */
export async function listEventOutcomes(sql: Sql, eventId: EventId): Promise<DeliveryOutcome[]> {
  const [first, last] = deliveryIdRange(eventId);
  return sql<DeliveryOutcome[]>`
    select delivery_id, subscription_id, inventory_system_id, state, receiver_status, message
    from delivery where delivery_id between ${first} and ${last} order by delivery_id`;
}

/**
 * Ends `discarded` up to `limit` deliveries that have waited longer than the retention for a disabled subscription;
 * how many. By `due_at`, which a resend renews: what was asked for yesterday is not too old.
 */
export async function discardExpiredDeliveries(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const rows = await sql`
    update delivery set state = 'discarded', finished_at = now()
    where state = 'pending' and delivery_id in (
      select d.delivery_id from subscription s join delivery d using (subscription_id)
      where s.state = 'disabled' and d.state = 'pending'
        and d.due_at < now() - ${days}::int * interval '1 day'
      limit ${limit} for update of d skip locked)
    returning delivery_id`;
  return rows.length;
}

/** Removes up to `limit` deliveries that ended before the retention, with their attempts; how many. */
export async function removeExpiredDeliveries(
  sql: Sql,
  days: number,
  limit: number,
): Promise<number> {
  const [row] = await sql<{ removed: number }[]>`
    with removed as (
      delete from delivery where delivery_id in (
        select delivery_id from delivery where finished_at < now() - ${days}::int * interval '1 day'
        order by finished_at limit ${limit} for update skip locked)
      returning delivery_id
    ), attempts as (
      delete from attempt a using removed r where a.delivery_id = r.delivery_id
    )
    select count(*) as removed from removed`;
  return row?.removed ?? 0;
}
