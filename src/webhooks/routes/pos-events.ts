import { inventoryStockEventSchema } from '../../../schemas/pos-events';
import { acceptItemData, prepareStockMovement, type AcceptPosEventDeps } from '../accept-pos-event';
import type { DeliveryOutcome } from '../sql/deliveries';
import { judgeEvent } from '../delivery';
import { limitSentences } from '../../menus/rules/problems-in-answers';
import { AppError } from '../../platform/errors';
import { answerOf, ref } from '../../contract/answer-schemas';
import type { Success } from '../../contract/answers';
import { DELIVERY_ID, DELIVERY_OUTCOME, MOVEMENT, SYSTEM_ID } from '../../contract/examples';
import { MOVEMENT_REFUSALS, STORE_FOREIGN, STORE_MISSING } from '../../contract/refusals';
import { prefersAsync } from '../../uploads/upload-answers';
import { renderOutcome } from '../delivery-answers';
import { ITEM_DATA_BODY } from '../item-data-body';
import { jsonBody, SMALL_BODY } from '../../http/body/request-body';
import { noQuery, type Route, route, token } from '../../http/route';
import type { RequestContext } from '../../http/state';

const STATES = ref('EventDeliveries');
const OUTCOMES = ref('EventDeliveryOutcomes');

const FIRST_DELIVERY = {
  operation: 'getDelivery',
  parameter: 'delivery_id',
  pointer: '/data/deliveries/0/delivery_id',
} as const;

/** Also used when systems are linked but none has a webhook of the type. */
const NOT_LINKED = {
  message: 'No inventory system is linked to this store.',
  data: { deliveries: [] },
};

/** POS events of a store, sent by the POS user's program and passed on to the linked inventory systems. */
export const POS_EVENT_ROUTES: readonly Route<AcceptPosEventDeps>[] = [
  route({
    id: 'sendItemData',
    method: 'post',
    path: '/api/v1/pos/store/{store_id}/inventory/items',
    parameters: { store_id: '1' },
    group: 'POS',
    summary: 'Report item data',
    description:
      'Goes as a type 1 webhook to each linked inventory system that has registered for it. The request does not wait for the answers.',
    access: token({ permission: 'pos:events', acts: true }),
    idempotency: 'kept',
    query: noQuery,
    body: ITEM_DATA_BODY,
    answers: [
      {
        status: 200,
        when: 'No linked inventory system has a webhook for item data.',
        schema: answerOf(STATES),
        examples: { notLinked: NOT_LINKED },
      },
      {
        status: 202,
        schema: answerOf(STATES),
        examples: {
          queued: {
            message: 'Inventory data queued.',
            data: {
              deliveries: [
                { delivery_id: DELIVERY_ID, inventory_system_id: SYSTEM_ID, state: 'pending' },
              ],
            },
          },
        },
        link: FIRST_DELIVERY,
      },
      STORE_MISSING,
      STORE_FOREIGN,
      {
        status: 422,
        fields: {
          units: ['The units field is required.', 'The units must be an array.'],
          items: ['The items field is required.'],
          suppliers: ['The suppliers field is required.'],
        },
      },
    ],
    async handle(deps: AcceptPosEventDeps, { ctx, params, body }) {
      answerItems(ctx, await acceptItemData(deps, ctx.state, params.store_id, body));
    },
  }),
  route({
    id: 'sendStockMovement',
    method: 'post',
    path: '/api/v1/pos/store/{store_id}/inventory/stock',
    parameters: { store_id: '1' },
    group: 'POS',
    summary: 'Report a stock movement',
    description:
      'Goes as a type 2 webhook to each linked inventory system that has registered for it. The request waits for their answers, 5 s unless configured otherwise.',
    access: token({ permission: 'pos:events', acts: true }),
    idempotency: 'kept',
    headers: ['Prefer'],
    query: noQuery,
    body: jsonBody({
      name: 'InventoryStockEvent',
      schema: inventoryStockEventSchema,
      maxBytes: SMALL_BODY,
      example: MOVEMENT,
    }),
    answers: [
      stockAnswer(200, 'Stock update acknowledged.', 'acknowledged'),
      stockAnswer(202, 'Stock update pending.', 'pending'),
      STORE_MISSING,
      {
        status: 409,
        when: 'A system refused. `message` is what it said; `data` lists the deliveries.',
        sentences: ["You don't have this store available.", 'There is no such item here.'],
        data: OUTCOMES,
      },
      { status: 422, fields: MOVEMENT_REFUSALS },
    ],
    async handle(deps: AcceptPosEventDeps, { ctx, params, body: movement }) {
      const writeAndWait = await prepareStockMovement(deps, ctx.state, params.store_id, {
        movement,
        waitMs: prefersAsync(ctx) ? 0 : deps.settings.ACK_WAIT,
      });
      return async () => answerStock(ctx, await writeAndWait());
    },
  }),
];

function answerItems(ctx: RequestContext, deliveries: readonly DeliveryOutcome[]): void {
  if (deliveries.length === 0) {
    ctx.body = NOT_LINKED;
    return;
  }
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
  if (outcomes.length === 0) {
    ctx.body = NOT_LINKED;
    return;
  }
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

function stockAnswer(status: 200 | 202, message: string, state: string): Success {
  const answered = state === 'acknowledged';
  const outcome = { ...DELIVERY_OUTCOME, state, receiver_status: answered ? 204 : null };
  return {
    status,
    when: answered
      ? 'Every linked system acknowledged, or none is linked.'
      : 'The delivery continues.',
    schema: answerOf(OUTCOMES),
    examples: {
      [state]: { message, data: { deliveries: [outcome] } },
      ...(answered ? { notLinked: NOT_LINKED } : {}),
    },
    ...(answered ? {} : { link: FIRST_DELIVERY }),
  };
}
