import { posStockUpdateSchema } from '../../../schemas/inventory-system';
import { inventoryItemsEventSchema, inventoryStockEventSchema } from '../../../schemas/pos-events';
import { LARGE_BODY, SMALL_BODY } from '../../http/middleware/read-json';
import { answerOf, record, ref } from '../answer-schemas';
import { DELIVERY_ID, DELIVERY_OUTCOME, SYSTEM_ID } from '../examples';
import type { JsonSchema, Operation, Refusal, Success } from '../operation';

const POS_PATH = '/api/v1/pos/store/{store_id}/inventory';

const movement = {
  external_id: 'margherita',
  current_stock: '9',
  quantity: '1',
  date: '2026-11-21T10:00:00Z',
  movement_type: 2,
};

const movementFields = {
  external_id: ['The external id field is required.'],
  current_stock: ['The current stock field is required.', 'The current stock format is invalid.'],
  quantity: ['The quantity field is required.', 'The quantity format is invalid.'],
  date: ['The date field is required.', 'The date format is invalid.'],
  movement_type: ['The movement type field is required.', 'The selected movement type is invalid.'],
};

const storeRefusals: readonly Refusal[] = [
  { status: 404, sentences: ['The store was not found.'] },
  { status: 409, sentences: ["You don't have this store available."] },
];

const deliveriesOf = (entry: JsonSchema): JsonSchema =>
  record({ deliveries: { type: 'array', items: entry } });

const notLinked = {
  message: 'No inventory system is linked to this store.',
  data: { deliveries: [] },
};

const outcomes = deliveriesOf(ref('DeliveryOutcome'));

function stockAnswer(status: 200 | 202, message: string, state: string): Success {
  const answered = state === 'acknowledged';
  const outcome = { ...DELIVERY_OUTCOME, state, receiver_status: answered ? 204 : null };
  return {
    status,
    when: answered ? 'Every linked system acknowledged, or none is linked.' : 'It goes on.',
    schema: answerOf(outcomes),
    examples: {
      [state]: { message, data: { deliveries: [outcome] } },
      ...(answered ? { notLinked } : {}),
    },
  };
}

export const POS_OPERATIONS: readonly Operation[] = [
  {
    id: 'sendItemData',
    method: 'post',
    path: `${POS_PATH}/items`,
    group: 'POS',
    summary: 'Tell item data',
    description: 'Becomes a type 1 webhook to each linked system that has one. Not waited for.',
    access: 'token',
    permission: 'pos:events',
    body: {
      name: 'InventoryItemsEvent',
      schema: inventoryItemsEventSchema,
      maxBytes: LARGE_BODY,
      example: {
        units: [{ id: 'kg' }],
        items: [{ id: 'margherita', unit: 'kg' }],
        suppliers: [],
      },
    },
    answers: [
      {
        status: 200,
        when: 'There is nobody to tell.',
        schema: answerOf(deliveriesOf(ref('DeliveryState'))),
        examples: { notLinked },
      },
      {
        status: 202,
        schema: answerOf(deliveriesOf(ref('DeliveryState'))),
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
      },
      ...storeRefusals,
      {
        status: 422,
        fields: {
          units: ['The units field is required.', 'The units must be an array.'],
          items: ['The items field is required.'],
          suppliers: ['The suppliers field is required.'],
        },
      },
    ],
  },
  {
    id: 'sendStockMovement',
    method: 'post',
    path: `${POS_PATH}/stock`,
    group: 'POS',
    summary: 'Tell a stock movement',
    description:
      'Becomes a type 2 webhook to each linked system that has one. Waits for their answers, 5 s unless configured otherwise.',
    access: 'token',
    permission: 'pos:events',
    body: {
      name: 'InventoryStockEvent',
      schema: inventoryStockEventSchema,
      maxBytes: SMALL_BODY,
      example: movement,
    },
    answers: [
      stockAnswer(200, 'Stock update acknowledged.', 'acknowledged'),
      stockAnswer(202, 'Stock update pending.', 'pending'),
      { status: 404, sentences: ['The store was not found.'] },
      {
        status: 409,
        when: 'A system refused: its own words, and `data` is not null.',
        sentences: ["You don't have this store available.", 'There is no such item here.'],
        data: { anyOf: [{ type: 'null' }, outcomes] },
      },
      { status: 422, fields: movementFields },
    ],
  },
  {
    id: 'updatePosStock',
    method: 'post',
    path: '/api/v1/inventory/system/store/{store_id}/pos/stock/update',
    group: 'POS',
    summary: 'Send a stock movement to the POS',
    description:
      'From an inventory system to the POS of a store, forwarded at once. Whatever error the POS answers comes back as it is, status and ' +
      'body, with `X-Error-Source: pos`; it can be any status.\n\nSend an `Idempotency-Key`: the POS gets it too, so that a retry after a 504 is safe.',
    access: 'token',
    body: {
      name: 'PosStockUpdate',
      schema: posStockUpdateSchema,
      maxBytes: SMALL_BODY,
      example: {
        inventory_system_id: SYSTEM_ID,
        pos_id: '1',
        ...movement,
        current_stock: '12',
        quantity: '3',
        movement_type: 1,
      },
    },
    answers: [
      {
        status: 200,
        schema: answerOf({ type: 'null' }),
        examples: { updated: { message: 'Stock successfully updated.', data: null } },
      },
      ...storeRefusals,
      {
        status: 422,
        fields: {
          inventory_system_id: ['The selected inventory system id is invalid.'],
          pos_id: ['The pos id field is required.', 'The selected pos id is invalid.'],
          ...movementFields,
        },
      },
      {
        status: 502,
        when: 'It was provably not reached, or answered with a redirect.',
        sentences: ['The POS system did not answer.', 'The POS system answered unexpectedly.'],
      },
      {
        status: 504,
        when: 'Nobody knows whether it acted.',
        sentences: ['The POS system did not answer in time.'],
      },
      {
        status: 'default',
        when: 'An error of the POS: its status and its JSON. Words that are no JSON come in the form of our errors.',
        schema: {},
        examples: { refused: { code: 'UNKNOWN_ITEM', message: 'There is no such item.' } },
        headers: ['X-Error-Source'],
      },
    ],
  },
];
