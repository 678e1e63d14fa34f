import { deliveryListSchema, deliveryResendSchema } from '../../../schemas/lists';
import { SMALL_BODY } from '../../http/middleware/read-json';
import { answerOf, pageOf, record, ref } from '../answer-schemas';
import { DELIVERY, DELIVERY_ID, DELIVERY_WITH_ATTEMPTS, SYSTEM_ID } from '../examples';
import type { Operation, Refusal } from '../operation';

const PATH = '/api/v1/webhooks/deliveries';
const notFound: Refusal = { status: 404, sentences: ['The delivery was not found.'] };
const count = answerOf(record({ count: { type: 'integer', minimum: 0 } }));
const filterFields = {
  inventory_system_id: ['The selected inventory system id is invalid.'],
  type: ['The selected type is invalid.'],
  state: ['The selected state is invalid.'],
};

export const DELIVERY_OPERATIONS: readonly Operation[] = [
  {
    id: 'getDelivery',
    method: 'get',
    path: `${PATH}/{delivery_id}`,
    group: 'Deliveries',
    summary: 'See one delivery',
    description:
      'With its attempts. For the owner of the inventory system, users of the store, and operators.',
    access: 'token',
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithAttempts')),
        examples: { acknowledged: { message: 'Success.', data: DELIVERY_WITH_ATTEMPTS } },
      },
      notFound,
    ],
  },
  {
    id: 'listDeliveries',
    method: 'get',
    path: PATH,
    group: 'Deliveries',
    summary: 'List deliveries',
    description: 'Newest first.',
    access: 'token',
    query: deliveryListSchema,
    answers: [
      {
        status: 200,
        schema: pageOf(ref('Delivery')),
        examples: { page: { message: 'Success.', data: [DELIVERY], next_cursor: null } },
      },
      {
        status: 422,
        fields: {
          ...filterFields,
          limit: ['The limit must be a number.', 'The selected limit is invalid.'],
          cursor: ['The selected cursor is invalid.'],
        },
      },
    ],
  },
  {
    id: 'resendDelivery',
    method: 'post',
    path: `${PATH}/{delivery_id}/resend`,
    group: 'Deliveries',
    summary: 'Resend one delivery',
    description: 'The same delivery with the same `webhook-id`, and a new retry table. No body.',
    access: 'token',
    answers: [
      {
        status: 202,
        schema: answerOf(record({ delivery_id: { type: 'string' } })),
        examples: { resent: { message: 'Success.', data: { delivery_id: DELIVERY_ID } } },
      },
      notFound,
    ],
  },
  {
    id: 'resendDeliveries',
    method: 'post',
    path: `${PATH}/resend`,
    group: 'Deliveries',
    summary: 'Resend deliveries by filter',
    description: 'All ended deliveries of your own inventory systems that match.',
    access: 'token',
    body: {
      name: 'DeliveryResend',
      schema: deliveryResendSchema,
      maxBytes: SMALL_BODY,
      example: { inventory_system_id: SYSTEM_ID, type: 2, state: 'exhausted', dry_run: true },
    },
    answers: [
      {
        status: 200,
        when: 'With `dry_run`: nothing is sent.',
        schema: count,
        examples: { counted: { message: 'Success.', data: { count: 12 } } },
      },
      {
        status: 202,
        schema: count,
        examples: { resent: { message: 'Success.', data: { count: 12 } } },
      },
      {
        status: 422,
        fields: { ...filterFields, dry_run: ['The selected dry run is invalid.'] },
      },
    ],
  },
];
