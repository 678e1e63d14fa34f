import type { WaitDeps } from '../http/caller-wait';
import type { Sql } from '../platform/db/client';
import { announceDeliveries } from './sql/announcements';
import {
  awaitDeliveries,
  type DeliveryOutcome,
  findDeliveryOutcome,
  insertEvent,
  listEventOutcomes,
  type NewDelivery,
} from './sql/deliveries';
import { deliveryIdOf, type EventId, newEventId } from './delivery-ids';
import type { TEST_EVENT } from '../../schemas/platform-events';
import type { MessageType } from './platform-events';
import { type RowWaiter, waitForRow } from '../platform/queue/row-waiters';
import { keyLost } from '../http/idempotency-key-lost';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';

export interface AcceptEventDeps extends Pick<
  WaitDeps,
  'waiters' | 'waitingPermits' | 'atCheckpoint'
> {
  readonly sql: Sql;
}

export interface EventRequest {
  readonly type: MessageType;
  /** See `NewEvent`. */
  readonly eventType?: typeof TEST_EVENT;
  /** Null for a test. */
  readonly storeId: number | null;
  readonly deliveries: readonly NewDelivery[];
  /** Given only where it must be known in advance; a retry has the id of its first try. */
  readonly eventId?: EventId;
  /**
   * How long the caller waits for outcomes, ms; 0 = not at all, also when the process has no permit for another waiting
   * caller.
   */
  readonly waitMs: number;
}

/**
 * Writes and announces the deliveries of an event, and waits on the rows. Returns the deliveries as last seen,
 * in the order given; an empty list if there are none. A retry of a request whose process died continues with the
 * deliveries that the first try made.
 */
export async function acceptEvent(
  deps: AcceptEventDeps,
  identity: RequestIdentity,
  event: EventRequest,
): Promise<DeliveryOutcome[]> {
  const { sql } = deps;
  const release = event.waitMs > 0 ? deps.waitingPermits.take(identity.caller.userId) : undefined;
  const waitMs = release ? event.waitMs : 0;
  const deadline = Date.now() + waitMs;
  const waiting: { readonly row: DeliveryOutcome; readonly waiter: RowWaiter }[] = [];
  try {
    const bound = boundIdOf(identity, 'evt');
    const eventId = bound ?? event.eventId ?? newEventId();
    identity.logged['event_id'] = eventId;
    const rows = bound
      ? await listEventOutcomes(sql, bound)
      : event.deliveries.map((each, number) => unsent(eventId, each, number));
    // No inventory system for the store: no delivery is written, and the answer is 200.
    if (rows.length === 0) return [];
    // Before the rows are written, so that no end is missed.
    for (const row of rows) waiting.push({ row, waiter: deps.waiters.register(row.deliveryId) });
    if (!bound) await deps.atCheckpoint('api:before-insert');
    const { caller, requestId, heldKey } = identity;
    const subscriptions = bound
      ? await announceDeliveries(sql, subscriptionsOf(rows))
      : await insertEvent(sql, {
          eventId,
          type: event.type,
          eventType: event.eventType,
          storeId: event.storeId,
          deliveries: event.deliveries,
          userId: caller.userId,
          requestId,
          waitMs,
          heldKey,
        });
    if (!subscriptions) throw keyLost();
    identity.onRowWritten?.();
    await deps.atCheckpoint('api:before-wake');
    // Nobody waits for a receiver to which nothing goes out for now: it is paused or disabled.
    const blocked = subscriptions.filter(({ blockedBy }) => blockedBy !== null);
    for (const { row, waiter } of waiting) {
      if (blocked.some((each) => each.subscriptionId === row.subscriptionId)) waiter.release();
    }
    if (waitMs === 0) return rows;
    // A caller who has gone leaves the permit to another.
    identity.onCallerGone?.(() => {
      for (const { waiter } of waiting) waiter.release();
    });
    if (bound) {
      await awaitDeliveries(sql, bound, waitMs);
      // They may have ended before that.
      for (const row of rows) deps.waiters.announce(row.deliveryId);
    }
    const outcomes = await Promise.all(
      waiting.map(({ row, waiter }) => waitForOutcome(sql, waiter, row, deadline)),
    );
    await deps.atCheckpoint('api:before-answer');
    return outcomes;
  } finally {
    for (const { waiter } of waiting) waiter.close();
    release?.();
  }
}

/** The row as last seen: ended, or still pending at the deadline or when the wait was given up. */
async function waitForOutcome(
  sql: Sql,
  waiter: RowWaiter,
  row: DeliveryOutcome,
  deadline: number,
): Promise<DeliveryOutcome> {
  let latest = row;
  await waitForRow(waiter, deadline, async () => {
    const notice = waiter.notice();
    if (notice !== null) {
      const receiverStatus = Number(notice);
      return (latest = { ...row, state: 'acknowledged', receiverStatus, message: null });
    }
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
