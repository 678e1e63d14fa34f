import {
  storeMovement,
  settleInBackground,
  type StockDeps,
  type StockMovement,
} from '../availability/settle-movements';
import { type EventStore, type EventTarget, findEventStore } from './sql/event-routes';
import { oneOrTwo } from '../http/one-or-two';
import type { FromSchema } from 'json-schema-to-ts';
import type { inventoryStockEventSchema } from '../../schemas/pos-events';
import type { Config } from '../platform/config/config';
import type { DeliveryOutcome } from './sql/deliveries';
import { judgeEvent } from './delivery';
import { newEventId } from './delivery-ids';
import {
  type ItemData,
  itemDataPayload,
  type PayloadText,
  stockPayload,
  type WebhookType,
} from './payload';
import { requireStore, requirePathStoreId, storeNotFound } from '../users/guards';
import { acceptEvent, type AcceptEventDeps, type EventRequest } from './accept-event';
import { boundIdOf, type RequestIdentity } from '../http/request-identity';

export interface AcceptPosEventDeps extends AcceptEventDeps, StockDeps {
  readonly settings: Pick<Config, 'ACK_WAIT'>;
}

/**
 * The second half of accepting an event. The route calls it when the body's memory is freed (`AfterBody`): writes the
 * deliveries, and waits for the outcomes if they are awaited.
 */
export type WriteAndWait = () => Promise<DeliveryOutcome[]>;

/**
 * Finds where a stock movement of a POS (type 2) goes; nothing is written before the returned function runs. Throws the
 * 404 or 409 of the store.
 */
export async function prepareStockMovement(
  deps: AcceptPosEventDeps,
  identity: RequestIdentity,
  pathStoreId: string,
  {
    movement,
    waitMs,
  }: {
    readonly movement: FromSchema<typeof inventoryStockEventSchema>;
    /** How long the outcomes are awaited, ms; 0: not at all. */
    readonly waitMs: number;
  },
): Promise<WriteAndWait> {
  const routed = await findRoute(deps, identity, pathStoreId, 2);
  const payloadFor = (target: EventTarget) =>
    stockPayload({
      inventorySystemId: target.inventorySystemId,
      externalStoreId: target.externalStoreId,
      externalId: movement.external_id,
      currentStock: movement.current_stock,
      quantity: movement.quantity,
      date: movement.date,
      movementType: oneOrTwo(movement.movement_type),
    });
  const stock = {
    externalId: movement.external_id,
    currentStock: movement.current_stock,
    date: movement.date,
  };
  return () => acceptRouted(deps, identity, routed, { waitMs, payloadFor, stock });
}

/** Accepts item data of a POS (type 1) without waiting for its delivery. Throws the 404 or 409 of the store. */
export async function acceptItemData(
  deps: AcceptPosEventDeps,
  identity: RequestIdentity,
  pathStoreId: string,
  lists: Pick<ItemData, 'units' | 'items' | 'suppliers'>,
): Promise<DeliveryOutcome[]> {
  const routed = await findRoute(deps, identity, pathStoreId, 1);
  return acceptRouted(deps, identity, routed, {
    waitMs: 0,
    payloadFor: (target) => itemDataPayload({ ...target, ...lists }),
  });
}

/** Where the events of a store go. */
interface Routed extends Pick<EventStore, 'targets' | 'countsStock' | 'timeZone'> {
  readonly storeId: number;
  readonly type: WebhookType;
}

/** Throws the 404 or 409 of the store. */
async function findRoute(
  { sql }: AcceptPosEventDeps,
  { caller }: RequestIdentity,
  pathStoreId: string,
  type: WebhookType,
): Promise<Routed> {
  const storeId = requirePathStoreId(pathStoreId);
  const store = await findEventStore(sql, { userId: caller.userId, storeId, type });
  if (!store) throw storeNotFound();
  requireStore(caller, store);
  const { targets, countsStock, timeZone } = store;
  return { storeId, type, targets, countsStock, timeZone };
}

/** The parts of an event other than its route. */
interface RoutedEvent {
  readonly waitMs: number;
  readonly payloadFor: (target: EventTarget) => PayloadText;
  /** Only for a stock movement. */
  readonly stock?: Stock;
}

type Stock = Pick<StockMovement, 'externalId' | 'currentStock' | 'date'>;

/** Has an event written for its targets, and waits for its outcomes. */
async function acceptRouted(
  deps: AcceptPosEventDeps,
  identity: RequestIdentity,
  { type, storeId, targets, countsStock, timeZone }: Routed,
  { waitMs, payloadFor, stock }: RoutedEvent,
): Promise<DeliveryOutcome[]> {
  const deliveries = targets.map((target) => ({
    subscriptionId: target.subscriptionId,
    inventorySystemId: target.inventorySystemId,
    payload: payloadFor(target),
  }));
  const event = { type, storeId, deliveries, waitMs };
  // The first try has stored the movement, which applies to what is on sale unless a system refuses. Stored again, it
  // would count as newer than it is.
  const isRetry = boundIdOf(identity, 'evt') !== null;
  if (stock && countsStock && !isRetry) {
    return acceptMovement(deps, identity, event, { ...stock, timeZone });
  }
  return acceptEvent(deps, identity, event);
}

/** Stores the movement before its event, and settles it by the outcomes. */
async function acceptMovement(
  deps: AcceptPosEventDeps,
  identity: RequestIdentity,
  event: EventRequest & { readonly storeId: number },
  stock: Stock & Pick<StockMovement, 'timeZone'>,
): Promise<DeliveryOutcome[]> {
  const { storeId, deliveries, waitMs } = event;
  const eventId = newEventId();
  const since = performance.now();
  const movementNo = await storeMovement(deps, {
    ...stock,
    storeId,
    eventId,
    deliveries: deliveries.length,
    waitMs: deliveries.length === 0 ? 0 : waitMs,
    heldKey: deliveries.length === 0 ? identity.heldKey : null,
  });
  const outcomes = await acceptEvent(deps, identity, { ...event, eventId });
  const { kind } = judgeEvent(outcomes);
  // If the wait ended early, as without a permit to wait, `pending` decides nothing: a system may still refuse. Then
  // the sweep settles the movement later.
  const isJudged = kind !== 'pending' || performance.now() - since >= waitMs;
  if (isJudged) settleInBackground(deps, movementNo, kind === 'refused');
  return outcomes;
}
