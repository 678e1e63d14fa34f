import type { PendingQuery, Row } from 'postgres';
import type { DeliveryState } from '../delivery';
import type { TEST_EVENT } from '../../../schemas/platform-events';
import type { MessageType } from '../platform-events';
import type { PayloadText } from '../payload';
import { deliveryIdOf, deliveryIdRange, type EventId, messageIdOf } from '../delivery-ids';
import type { DeliveryId, SubscriptionId, UserId } from '../../platform/ids';
import type { Sql } from '../../platform/db/client';
import { currentTraceParent } from '../../platform/observe/tracing';
import { coalesced } from '../../platform/db/coalesce';
import { endedSince } from './ended-deliveries';
import { bindHeldKey, type HeldKey } from '../../http/sql/idempotency';
import { announcingColumns, type AnnouncedSubscription } from './announcements';

export interface NewDelivery {
  readonly subscriptionId: SubscriptionId;
  /** Null for an event of the platform (type 3), which goes to no inventory system. */
  readonly inventorySystemId: string | null;
  readonly payload: PayloadText;
}

/** One accepted event, with its payload for each subscription that gets it. At least one. */
export interface NewEvent {
  readonly eventId: EventId;
  readonly type: MessageType;
  /** Only for the test of a webhook for type 3; the database writes all other events of the platform. */
  readonly eventType?: typeof TEST_EVENT | undefined;
  /** Null for a test. */
  readonly storeId: number | null;
  readonly deliveries: readonly NewDelivery[];
  readonly userId: UserId;
  readonly requestId: string;
  /** How long the caller waits, ms; 0 = not at all, so the ends of its deliveries need not be announced. */
  readonly waitMs: number;
  readonly heldKey: HeldKey | null;
}

/** Payloads of at least this size are written by a separate statement, so that other events do not wait for them. */
const LARGE_PAYLOAD = 65_536;

/**
 * Writes the deliveries of an event, due at once (the column's default), in one statement. On commit
 * `announcingColumns` announces them to the workers, except those of paused or disabled subscriptions, which it returns
 * as blocked. Undefined if another request took the idempotency key meanwhile: then nothing is written.
 */
export async function insertEvent(
  sql: Sql,
  event: NewEvent,
): Promise<AnnouncedSubscription[] | undefined> {
  const traced = { event, traceParent: currentTraceParent() };
  const isLarge = event.deliveries.some(({ payload }) => payload.length >= LARGE_PAYLOAD);
  if (event.heldKey === null && !isLarge) return insertTogether(sql, traced);
  const mayWrite = bindHeldKey(sql, event.heldKey, event.eventId);
  const rows = await insertDeliveries(sql, [traced], mayWrite);
  return rows.length > 0 ? rows : undefined;
}

interface TracedEvent {
  readonly event: NewEvent;
  /** The writer's trace, which its deliveries continue. */
  readonly traceParent: string | null;
}

/** Events that arrive at the same moment share a statement; their deliveries are made in the order of the calls. */
const insertTogether = coalesced(async (sql, events: readonly TracedEvent[]) => {
  const rows = await insertDeliveries(sql, events, sql`select 1`);
  const found = new Map(rows.map((row) => [row.subscriptionId, row]));
  return events.map(({ event }) =>
    event.deliveries.flatMap(({ subscriptionId }) => found.get(subscriptionId) ?? []),
  );
});

/** Writes the events if `mayWrite` has a row. */
async function insertDeliveries(
  sql: Sql,
  events: readonly TracedEvent[],
  mayWrite: PendingQuery<Row[]>,
): Promise<AnnouncedSubscription[]> {
  // Without spreads: at a thousand events a second the new shapes of objects they make were a tenth of the API's CPU.
  const rows = events.flatMap(({ event, traceParent }) =>
    event.deliveries.map((delivery, number) => {
      const deliveryId = deliveryIdOf(event.eventId, number);
      return { deliveryId, delivery, event, traceParent };
    }),
  );
  const subscriptionIds = [...new Set(rows.map(({ delivery }) => delivery.subscriptionId))];
  return sql<AnnouncedSubscription[]>`
    with allowed as (${mayWrite}), made as (
      insert into delivery (delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id,
        sequence, payload, payload_bytes, awaited_until, request_id, user_id, trace_parent)
      select n.delivery_id, n.message_id, n.subscription_id, n.inventory_system_id, n.type, n.event_type, n.store_id,
        nextval('webhook_sequence'), n.payload::json, octet_length(n.payload),
        now() + nullif(n.wait_ms, 0) * interval '1 ms', n.request_id, n.user_id, n.trace_parent
      from allowed, unnest(
        ${rows.map((row) => row.deliveryId)}::text[],
        ${rows.map((row) => messageIdOf(row.deliveryId))}::text[],
        ${rows.map(({ delivery }) => delivery.subscriptionId)}::text[],
        ${rows.map(({ delivery }) => delivery.inventorySystemId)}::uuid[],
        ${rows.map(({ event }) => event.type)}::smallint[],
        ${rows.map(({ event }) => event.eventType ?? null)}::text[],
        ${rows.map(({ event }) => event.storeId)}::bigint[],
        ${rows.map(({ delivery }) => delivery.payload)}::text[],
        ${rows.map(({ event }) => event.waitMs)}::int[],
        ${rows.map(({ event }) => event.requestId)}::text[],
        ${rows.map(({ event }) => event.userId)}::text[],
        ${rows.map((row) => row.traceParent)}::text[])
        as n (delivery_id, message_id, subscription_id, inventory_system_id, type, event_type, store_id, payload,
          wait_ms, request_id, user_id, trace_parent)
    )
    select ${announcingColumns(sql)}
    from allowed, subscription s
    where s.subscription_id = any(${subscriptionIds}::text[])`;
}

export interface DeliveryOutcome {
  readonly deliveryId: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  readonly inventorySystemId: string | null;
  readonly state: DeliveryState;
  readonly receiverStatus: number | null;
  readonly message: string | null;
}

/** Run for every waiting caller when its row is announced; many rows are announced at a time. */
export const findDeliveryOutcome = coalesced(
  async (sql, deliveryIds: readonly DeliveryId[]): Promise<(DeliveryOutcome | undefined)[]> => {
    const rows = await sql<DeliveryOutcome[]>`
      select delivery_id, subscription_id, inventory_system_id, state, receiver_status, message
      from any_delivery d
      where delivery_id = any(${[...deliveryIds]}::text[]) and ${endedSince(sql, deliveryIds)}`;
    const found = new Map(rows.map((row) => [row.deliveryId, row]));
    return deliveryIds.map((id) => found.get(id));
  },
);

/** Makes the ends of the pending deliveries of an event be announced for so long, for a retry of the request. */
export async function awaitDeliveries(sql: Sql, eventId: EventId, waitMs: number): Promise<void> {
  const [first, last] = deliveryIdRange(eventId);
  await sql`
    update delivery set awaited_until = greatest(awaited_until, now() + ${waitMs}::int * interval '1 ms')
    where delivery_id between ${first} and ${last}`;
}

/** The outcomes of an event, in the order of its deliveries; for a retry of the request that made it. */
export async function listEventOutcomes(sql: Sql, eventId: EventId): Promise<DeliveryOutcome[]> {
  const [first, last] = deliveryIdRange(eventId);
  return sql<DeliveryOutcome[]>`
    select delivery_id, subscription_id, inventory_system_id, state, receiver_status, message
    from any_delivery d
    where delivery_id between ${first} and ${last} and ${endedSince(sql, [first])}
    order by delivery_id`;
}
