import type { PendingQuery, Row } from 'postgres';
import type { Viewer } from '../../users/sql/users';
import type { DeliveryState } from '../delivery';
import { EVENTS, type EventType, type MessageType } from '../platform-events';
import { STOCK, type WebhookType } from '../payload';
import type { DeliveryId, SubscriptionId, TimeFilter } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { keyIs } from '../../platform/db/key-is';
import { endedSince } from './ended-deliveries';

export interface DeliveryView {
  readonly deliveryId: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  /** Null for an event. */
  readonly inventorySystemId: string | null;
  readonly type: MessageType;
  /** Null for messages to inventory systems. */
  readonly eventType: EventType | null;
  readonly storeId: number | null;
  readonly state: DeliveryState;
  readonly attemptsMade: number;
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly receiverStatus: number | null;
  readonly message: string | null;
}

export interface AttemptView {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  /** What is wrong, in words. */
  readonly detail: string | null;
  readonly response: string | null;
}

/** What a list shows or a resend sends: either messages to inventory systems or events, never both. */
export interface DeliveryFilter extends TimeFilter {
  readonly events: boolean;
  /** A UUID. */
  readonly inventorySystemId?: string;
  readonly type?: WebhookType | EventType;
  readonly state?: DeliveryState;
  readonly storeId?: number;
  /** The id of the request that made it. */
  readonly requestId?: string;
  /** The item of a stock movement, by the POS's id; deliveries of other types have none. */
  readonly externalId?: string;
  readonly receiverStatus?: number;
}

export function viewColumns(sql: Sql): PendingQuery<Row[]> {
  return sql`d.delivery_id, d.subscription_id, d.inventory_system_id, d.type, d.event_type, d.store_id, d.state, d.attempts_made, d.due_at,
    d.created_at, d.finished_at, d.receiver_status, d.message`;
}

/** The same, and what else `matchesList` asks. */
export function listColumns(sql: Sql, { externalId }: DeliveryFilter): PendingQuery<Row[]> {
  return sql`${viewColumns(sql)}, d.user_id, d.request_id,
    ${itemOf(sql, externalId !== undefined)} as external_id`;
}

/** The item of stock movement `d`. A payload is only read if it is asked for: it may be large. */
export function itemOf(sql: Sql, isAskedFor: boolean): PendingQuery<Row[]> {
  return sql`case when ${isAskedFor}::boolean and d.type = ${STOCK}::smallint
    then d.payload ->> 'external_id' end`;
}

/**
 * A delivery that the viewer may see: to a system of theirs, about a store that they have, or an event sent to them.
 */
export async function findDelivery(
  sql: Sql,
  viewer: Viewer,
  deliveryId: string,
): Promise<DeliveryView | undefined> {
  const [row] = await sql<DeliveryView[]>`
    select ${viewColumns(sql)} from any_delivery d
    where d.delivery_id = ${deliveryId} and ${endedSince(sql, [deliveryId])}
      and (${viewer.seesAll}::boolean or ${isSeenBy(sql, viewer)})`;
  return row;
}

/** Whether a user may see delivery `d`; an operator sees all. */
export function isSeenBy(sql: Sql, viewer: Viewer): PendingQuery<Row[]> {
  return sql`case when d.type = ${EVENTS}::smallint then d.user_id = ${viewer.userId}
    else ${isMessageSeenBy(sql, viewer)} end`;
}

/** The same of a message to an inventory system. */
function isMessageSeenBy(sql: Sql, { userId }: Viewer): PendingQuery<Row[]> {
  return sql`(exists (select from user_store us where us.store_id = d.store_id and us.user_id = ${userId})
    or exists (select from inventory_system i
      where i.inventory_system_id = d.inventory_system_id and i.created_by = ${userId}))`;
}

/** Whether the viewer may see delivery `d` of a list of everybody's: of events, or of messages. */
export function isListedFor(
  sql: Sql,
  viewer: Viewer,
  { events }: DeliveryFilter,
): PendingQuery<Row[]> {
  if (viewer.seesAll) return sql`true`;
  return events ? sql`d.user_id = ${viewer.userId}` : isMessageSeenBy(sql, viewer);
}

export async function listAttempts(sql: Sql, deliveryId: DeliveryId): Promise<AttemptView[]> {
  return sql<AttemptView[]>`
    select number, started_at, duration_ms, status, error, detail, response from (
      select number, started_at, duration_ms, status, error, detail, response from attempt
      where delivery_id = ${deliveryId}
      union all
      select a.number, a.started_at, a.duration_ms, a.status, a.error, a.detail, a.response
      from ended_delivery d cross join lateral unnest(d.attempts) as a
      where d.delivery_id = ${deliveryId} and ${endedSince(sql, [deliveryId])}
    ) as each order by number`;
}

/** The stored payload of a delivery as text, unless it has more bytes. Null: it has, or there is no such delivery. */
export async function findPayload(
  sql: Sql,
  deliveryId: DeliveryId,
  mostBytes: number,
): Promise<string | null> {
  const [row] = await sql<{ payload: string }[]>`
    select payload from (${payloadOf(sql, deliveryId)}) as stored
    where octet_length(payload) <= ${mostBytes}::int`;
  return row?.payload ?? null;
}

/** How many bytes that text has; 0 if there is no such delivery. */
export async function findPayloadSize(sql: Sql, deliveryId: DeliveryId): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select octet_length(payload) as bytes from (${payloadOf(sql, deliveryId)}) as stored`;
  return row?.bytes ?? 0;
}

function payloadOf(sql: Sql, deliveryId: DeliveryId): PendingQuery<Row[]> {
  return sql`
    select d.payload::text as payload from any_delivery d
    where d.delivery_id = ${deliveryId} and ${endedSince(sql, [deliveryId])}`;
}

/** `filter` as conditions on delivery `d`. */
export function matches(
  sql: Sql,
  { events, inventorySystemId, type, state }: DeliveryFilter,
): PendingQuery<Row[]> {
  // Written into the text: with a parameter, and all rows of one type, Postgres would plan for no row of another type.
  const ofEvents = sql.unsafe(String(EVENTS));
  return sql`${events ? sql`d.type = ${ofEvents}` : sql`d.type <> ${ofEvents}`}
    ${inventorySystemId === undefined ? sql`` : sql`and d.inventory_system_id = ${inventorySystemId}::uuid`}
    ${typeof type === 'number' ? sql`and d.type = ${type}::smallint` : sql``}
    ${typeof type === 'string' ? sql`and d.event_type = ${type}` : sql``}
    ${state === undefined ? sql`` : isInState(sql, state)}`;
}

/**
 * The same, with the conditions that no index answers. They stand in every statement, so that there are few different
 * ones: each is planned on each connection, and with the partitions a plan is large.
 */
export function matchesList(sql: Sql, filter: DeliveryFilter): PendingQuery<Row[]> {
  return sql`${matches(sql, filter)} ${matchesRest(sql, filter, sql`d.external_id`)}`;
}

/** What no index answers; `itemId`: the item of the stock movement `d`. */
export function matchesRest(
  sql: Sql,
  { storeId, requestId, externalId, receiverStatus, since, until }: DeliveryFilter,
  itemId: PendingQuery<Row[]>,
): PendingQuery<Row[]> {
  return sql`and (${storeId ?? null}::bigint is null or d.store_id = ${storeId ?? null}::bigint)
    and (${requestId ?? null}::text is null or d.request_id = ${requestId ?? null}::text)
    and (${externalId ?? null}::text is null or ${itemId} = ${externalId ?? null}::text)
    and (${receiverStatus ?? null}::int is null or d.receiver_status = ${receiverStatus ?? null}::int)
    and (${since ?? null}::timestamptz is null or d.created_at >= ${since ?? null}::timestamptz)
    and (${until ?? null}::timestamptz is null or d.created_at < ${until ?? null}::timestamptz)`;
}

/** Whether delivery `d` is of this webhook, for a list in the order of the index on both. */
export function isOfWebhook(sql: Sql, subscriptionId: PendingQuery<Row[]>): PendingQuery<Row[]> {
  return sql`${keyIs(sql, sql`d.subscription_id`, subscriptionId)} and ${isListed(sql)}`;
}

/** True of every delivery; stated because indexes of `delivery` for lists have it as their condition. */
export function isListed(sql: Sql): PendingQuery<Row[]> {
  return sql`d.type > 0`;
}

/**
 * A statement is planned before it has its parameters. So it leaves out ended deliveries, or takes the indexes of
 * those that were not acknowledged, only if its text says so.
 */
export function isInState(sql: Sql, state: DeliveryState): PendingQuery<Row[]> {
  switch (state) {
    case 'pending':
      return sql`and d.state = 'pending'`;
    case 'delivered':
    case 'refused':
    case 'exhausted':
    case 'discarded':
      return sql`and d.state = ${state} and d.state <> 'acknowledged'`;
    case 'acknowledged':
      return sql`and d.state = ${state}`;
  }
}

/** The same for a state that an index answers; nothing for another, which has to be looked for in what was read. */
export function isInIndexedState(sql: Sql, state: DeliveryState | undefined): PendingQuery<Row[]> {
  return state === undefined || state === 'acknowledged' ? sql`` : isInState(sql, state);
}
