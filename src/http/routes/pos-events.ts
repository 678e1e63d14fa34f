import Router from '@koa/router';
import { inventoryItemsEventSchema, inventoryStockEventSchema } from '../../../schemas/pos-events';
import type { Config } from '../../config';
import type { DeliveryOutcome } from '../../db/deliveries';
import { type EventStore, findEventStore } from '../../db/store-links';
import { judgeEvent, oneOrTwo } from '../../domain/delivery';
import { limitSentences } from '../../domain/limit-sentences';
import { rawMembers } from '../../domain/raw-json';
import { itemDataPayload, stockPayload, type WebhookType } from '../../domain/webhook-body';
import { AppError } from '../../errors';
import { createValidator } from '../../validation';
import { deliverEvent, type DeliverEventDeps } from '../deliver-event';
import { renderOutcome } from '../delivery-answers';
import { accepted, requireActiveUser, requirePermission, requireStore } from '../guards';
import { requirePathStoreId, storeNotFound } from '../inventory-guards';
import { idempotent, type IdempotentDeps } from '../middleware/idempotent';
import { LARGE_BODY, readJson, SMALL_BODY } from '../middleware/read-json';
import type { RequestContext, RequestState } from '../state';

export interface PosEventDeps extends IdempotentDeps, DeliverEventDeps {
  readonly settings: Pick<Config, 'ACK_WAIT'>;
}

const validateItems = createValidator(inventoryItemsEventSchema);
const validateStock = createValidator(inventoryStockEventSchema);

/** What happens in a store's POS, told by the POS user's program and passed on to the linked inventory systems. */
export function posEventRoutes(deps: PosEventDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  const path = '/pos/store/:store_id/inventory';

  router.post(`${path}/items`, readJson(LARGE_BODY), idempotent(deps), async (ctx) => {
    accepted(validateItems(ctx.state.json));
    const { storeId, targets } = await findStoreOf(deps, ctx, ctx.params['store_id'], 1);
    const lists = itemLists(ctx.state.bodyText);
    const deliveries = targets.map((target) => ({
      ...target,
      payload: itemDataPayload({ ...target, ...lists }),
    }));
    answerItems(ctx, await deliverEvent(deps, ctx, { type: 1, storeId, deliveries, waitMs: 0 }));
  });

  router.post(`${path}/stock`, readJson(SMALL_BODY), idempotent(deps), async (ctx) => {
    const movement = accepted(validateStock(ctx.state.json));
    const { storeId, targets } = await findStoreOf(deps, ctx, ctx.params['store_id'], 2);
    const deliveries = targets.map((target) => ({
      ...target,
      payload: stockPayload({
        ...target,
        externalId: movement.external_id,
        currentStock: movement.current_stock,
        quantity: movement.quantity,
        date: movement.date,
        movementType: oneOrTwo(movement.movement_type),
      }),
    }));
    const waitMs = deps.settings.ACK_WAIT;
    answerStock(ctx, await deliverEvent(deps, ctx, { type: 2, storeId, deliveries, waitMs }));
  });

  return router;
}

async function findStoreOf(
  deps: PosEventDeps,
  ctx: RequestContext,
  pathStoreId: string | undefined,
  type: WebhookType,
): Promise<EventStore> {
  const { caller } = ctx.state;
  requirePermission(caller, 'pos:events');
  requireActiveUser(caller);
  const storeId = requirePathStoreId(pathStoreId);
  const store = await findEventStore(deps.sql, { userId: caller.userId, storeId, type });
  if (!store) throw storeNotFound();
  requireStore(caller, store);
  return store;
}

/** The three lists as they were sent: numbers that no float can hold reach the receiver digit for digit. */
function itemLists(bodyText: string): { units: string; items: string; suppliers: string } {
  const members = rawMembers(bodyText);
  const list = (name: string): string => members.get(name) ?? '[]';
  return { units: list('units'), items: list('items'), suppliers: list('suppliers') };
}

function answerItems(ctx: RequestContext, deliveries: readonly DeliveryOutcome[]): void {
  if (deliveries.length === 0) return answerNotLinked(ctx);
  ctx.status = 202;
  ctx.body = {
    message: 'Inventory data queued.',
    data: {
      deliveries: deliveries.map((each) => ({
        delivery_id: each.deliveryId,
        inventory_system_id: each.inventorySystemId,
        state: each.state,
      })),
    },
  };
}

/** The POS user's answer; throws the 409 of a refused update. */
function answerStock(ctx: RequestContext, outcomes: readonly DeliveryOutcome[]): void {
  if (outcomes.length === 0) return answerNotLinked(ctx);
  const data = { deliveries: outcomes.map(renderOutcome) };
  const verdict = judgeEvent(outcomes);
  switch (verdict.kind) {
    case 'acknowledged':
      ctx.body = { message: 'Stock update acknowledged.', data };
      return;
    case 'refused':
      throw new AppError('delivery_refused', limitSentences(verdict.messages), { data });
    case 'pending':
      ctx.status = 202;
      ctx.body = { message: 'Stock update pending.', data };
  }
}

/** Also where systems are linked and none has a webhook of the type: there was nobody to tell. */
function answerNotLinked(ctx: RequestContext): void {
  ctx.body = {
    message: 'No inventory system is linked to this store.',
    data: { deliveries: [] },
  };
}
