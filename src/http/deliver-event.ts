import type { ReachCheckpoint } from '../checkpoint';
import type { Sql } from '../db/client';
import {
  type DeliveryOutcome,
  findDeliveryOutcome,
  announceDeliveries,
  insertEvent,
  listEventOutcomes,
  type NewDelivery,
  type SubscriptionWakefulness,
} from '../db/deliveries';
import { deliveryIdOf, type EventId, newEventId } from '../delivery-ids';
import type { WebhookType } from '../domain/webhook-body';
import type { Nudger } from '../queue/nudger';
import { type RowWaiter, type RowWaiters, waitForRow } from '../queue/row-waiters';
import type { WaitingRoom } from '../queue/waiting-room';
import { wakeSubscriptions } from '../queue/wake-subscriptions';
import { markLost } from './mark-lost';
import type { RequestContext } from './state';

export interface DeliverEventDeps {
  readonly sql: Sql;
  readonly nudger: Nudger;
  readonly waiters: RowWaiters;
  readonly waitingRoom: WaitingRoom;
  readonly reach: ReachCheckpoint;
}

export interface AcceptedEvent {
  readonly type: WebhookType;
  /** Null for a test. */
  readonly storeId: number | null;
  readonly deliveries: readonly NewDelivery[];
  /** How long the caller waits for outcomes, ms; 0 = not at all, which is what it is when the process has no place. */
  readonly waitMs: number;
}

/**
 * Writes the deliveries, nudges their entities and waits on the rows: the caller's half of the pattern. The answer has
 * the deliveries as last seen, in the order in which they were given; none when there are none.
 * A retry of a request whose process died goes on with the deliveries that it had made.
 */
export async function deliverEvent(
  deps: DeliverEventDeps,
  ctx: RequestContext,
  event: AcceptedEvent,
): Promise<DeliveryOutcome[]> {
  const place = event.waitMs > 0 ? deps.waitingRoom.enter() : undefined;
  try {
    return await deliver(deps, ctx, { ...event, waitMs: place ? event.waitMs : 0 });
  } finally {
    place?.leave();
  }
}

async function deliver(
  deps: DeliverEventDeps,
  ctx: RequestContext,
  event: AcceptedEvent,
): Promise<DeliveryOutcome[]> {
  const deadline = Date.now() + event.waitMs;
  const bound = ctx.state.boundId as EventId | null;
  const eventId = bound ?? newEventId();
  ctx.state.logged['event_id'] = eventId;
  const rows = bound
    ? await listEventOutcomes(deps.sql, bound)
    : event.deliveries.map((each, number) => unsent(eventId, each, number));
  if (rows.length === 0) return [];
  const waiting = rows.map((row) => ({ row, waiter: deps.waiters.register(row.deliveryId) }));
  try {
    const subscriptions = bound
      ? await announceDeliveries(deps.sql, subscriptionsOf(rows))
      : await writeEvent(deps, ctx, eventId, event);
    await deps.reach('api:before-nudge');
    wakeSubscriptions(deps.nudger, subscriptions, (subscriptionId) => {
      for (const { row, waiter } of waiting) {
        if (row.subscriptionId === subscriptionId) waiter.release();
      }
    });
    if (event.waitMs === 0) return rows;
    // They may have ended before we began to listen.
    if (bound) deps.waiters.announce(rows.map((row) => row.deliveryId));
    const outcomes = await Promise.all(
      waiting.map(({ row, waiter }) => waitForOutcome(deps.sql, waiter, row, deadline)),
    );
    await deps.reach('api:before-answer');
    return outcomes;
  } finally {
    for (const { waiter } of waiting) waiter.close();
  }
}

async function writeEvent(
  deps: DeliverEventDeps,
  ctx: RequestContext,
  eventId: EventId,
  event: AcceptedEvent,
): Promise<SubscriptionWakefulness[]> {
  await deps.reach('api:before-insert');
  const subscriptions = await insertEvent(deps.sql, {
    eventId,
    ...event,
    userId: ctx.state.caller.userId,
    requestId: ctx.state.requestId,
    mark: ctx.state.mark,
  });
  if (!subscriptions) throw markLost();
  return subscriptions;
}

/** The row as last seen: ended, or still pending at the deadline or when waiting was called off. */
async function waitForOutcome(
  sql: Sql,
  waiter: RowWaiter,
  row: DeliveryOutcome,
  deadline: number,
): Promise<DeliveryOutcome> {
  let latest = row;
  await waitForRow(waiter, deadline, async () => {
    latest = (await findDeliveryOutcome(sql, row.deliveryId)) ?? latest;
    return latest.state === 'pending' ? undefined : latest;
  });
  return latest;
}

function unsent(eventId: EventId, delivery: NewDelivery, number: number): DeliveryOutcome {
  const { subscriptionId, inventorySystemId } = delivery;
  return {
    deliveryId: deliveryIdOf(eventId, number),
    subscriptionId,
    inventorySystemId,
    state: 'pending',
    receiverStatus: null,
    message: null,
  };
}

function subscriptionsOf(rows: readonly DeliveryOutcome[]) {
  return [...new Set(rows.map((row) => row.subscriptionId))];
}
