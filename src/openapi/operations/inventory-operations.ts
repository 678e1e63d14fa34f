import { inventorySystemCreateSchema, storeLinkSchema } from '../../../schemas/inventory-system';
import { SMALL_BODY } from '../../http/middleware/read-json';
import { answerOf, record, ref } from '../answer-schemas';
import { SYSTEM_ID } from '../examples';
import type { Operation } from '../operation';

const LINK = { inventory_system_id: SYSTEM_ID, store_id: 1, external_store_id: 'S-77' };

export const INVENTORY_OPERATIONS: readonly Operation[] = [
  {
    id: 'createInventorySystem',
    method: 'post',
    path: '/api/v1/inventory/system/create',
    group: 'Inventory systems',
    summary: 'Create an inventory system',
    description: 'You own the system that you create: its webhooks and their deliveries are yours.',
    access: 'token',
    permission: 'inventory:create',
    body: {
      name: 'InventorySystemCreate',
      schema: inventorySystemCreateSchema,
      maxBytes: SMALL_BODY,
      example: { name: 'Stock Inc' },
    },
    answers: [
      {
        status: 201,
        schema: answerOf(ref('InventorySystem')),
        examples: {
          created: {
            message: 'Success.',
            data: {
              inventory_system_id: SYSTEM_ID,
              inventory_system_details: { name: 'Stock Inc' },
            },
          },
        },
      },
      {
        status: 409,
        when: 'In the whole deployment; case does not count.',
        sentences: ['The Inventory System already exists.'],
      },
      { status: 422, fields: { name: ['The name field is required.'] } },
    ],
  },
  {
    id: 'linkStore',
    method: 'post',
    path: '/api/v1/inventory/system/store/link',
    group: 'Inventory systems',
    summary: 'Link a store',
    description:
      'Says which id the store has in the inventory system. Linking again changes the id; a store may be linked to several systems.',
    access: 'token',
    body: {
      name: 'StoreLink',
      schema: storeLinkSchema,
      maxBytes: SMALL_BODY,
      example: LINK,
    },
    answers: [
      {
        status: 200,
        schema: answerOf(
          record({
            inventory_system_id: { type: 'string', format: 'uuid' },
            store_id: { type: 'integer' },
            external_store_id: { type: 'string' },
          }),
        ),
        examples: { linked: { message: 'Success.', data: LINK } },
      },
      { status: 409, sentences: ["You don't have this store available."] },
      {
        status: 422,
        fields: {
          inventory_system_id: [
            'The inventory system id field is required.',
            'The selected inventory system id is invalid.',
          ],
          store_id: ['The store id field is required.', 'The selected store id is invalid.'],
          external_store_id: ['The external store id field is required.'],
        },
      },
    ],
  },
];
