import {
  webhookManageSchema,
  webhookRotateSchema,
  webhookSelectSchema,
} from '../../../schemas/webhook';
import { SMALL_BODY } from '../../http/middleware/read-json';
import { answerOf, record, ref } from '../answer-schemas';
import { DELIVERY_WITH_ATTEMPTS, NEW_WEBHOOK, ROTATED, SYSTEM_ID, WEBHOOK } from '../examples';
import type { Operation, Refusal, RequestBody } from '../operation';

const PATH = '/api/v1/inventory/system/webhook';

const select: RequestBody = {
  name: 'WebhookSelect',
  schema: webhookSelectSchema,
  maxBytes: SMALL_BODY,
  example: { type: 2, inventory_system_id: SYSTEM_ID },
};

const notFound: Refusal = { status: 404, sentences: ['The webhook was not found.'] };

const selectFields = {
  type: ['The type field is required.', 'The selected type is invalid.'],
  inventory_system_id: [
    'The inventory system id field is required.',
    'The selected inventory system id is invalid.',
  ],
};

const managedWebhook = {
  type: 'object',
  required: ['type', 'inventory_system_id', 'url', 'state'],
  properties: {
    type: { type: 'integer', enum: [1, 2] },
    inventory_system_id: { type: 'string', format: 'uuid' },
    url: { type: 'string' },
    state: { type: 'string', enum: ['enabled', 'disabled'] },
    secret: {
      type: 'string',
      description: 'Verifies the signatures. Shown only when the webhook is new: keep it.',
    },
  },
};

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  {
    id: 'manageWebhook',
    method: 'post',
    path: `${PATH}/manage`,
    group: 'Webhooks',
    summary: 'Register or change a webhook',
    description:
      'An inventory system has one webhook for each type. A new URL starts with a clean record.',
    access: 'token',
    body: {
      name: 'WebhookManage',
      schema: webhookManageSchema,
      maxBytes: SMALL_BODY,
      example: {
        type: 2,
        inventory_system_id: SYSTEM_ID,
        url: 'https://stock.example/hooks',
        max_in_flight: 20,
      },
    },
    answers: [
      {
        status: 200,
        schema: answerOf(managedWebhook),
        examples: { new: { message: 'Success.', data: NEW_WEBHOOK } },
      },
      {
        status: 422,
        fields: {
          ...selectFields,
          url: ['The url field is required.', 'The url is not allowed.'],
          max_in_flight: ['The selected max in flight is invalid.'],
        },
      },
    ],
  },
  {
    id: 'rotateWebhookSecret',
    method: 'post',
    path: `${PATH}/secret/rotate`,
    group: 'Webhooks',
    summary: 'Rotate a secret',
    description: 'Until the grace ends, both secrets sign. The new one is shown this once.',
    access: 'token',
    body: {
      name: 'WebhookRotate',
      schema: webhookRotateSchema,
      maxBytes: SMALL_BODY,
      example: { type: 2, inventory_system_id: SYSTEM_ID, grace_seconds: 86_400 },
    },
    answers: [
      {
        status: 200,
        schema: answerOf(
          record({
            secret: { type: 'string' },
            previous_valid_until: { type: ['string', 'null'], format: 'date-time' },
          }),
        ),
        examples: { rotated: { message: 'Success.', data: ROTATED } },
      },
      notFound,
      {
        status: 422,
        fields: { ...selectFields, grace_seconds: ['The selected grace seconds is invalid.'] },
      },
    ],
  },
  {
    id: 'enableWebhook',
    method: 'post',
    path: `${PATH}/enable`,
    group: 'Webhooks',
    summary: 'Enable a webhook',
    description: 'Deliveries that waited go out, oldest first.',
    access: 'token',
    body: select,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Webhook')),
        examples: { enabled: { message: 'Success.', data: WEBHOOK } },
      },
      notFound,
      { status: 422, fields: selectFields },
    ],
  },
  {
    id: 'disableWebhook',
    method: 'post',
    path: `${PATH}/disable`,
    group: 'Webhooks',
    summary: 'Disable a webhook',
    description: 'Deliveries wait, `pending`, until it is enabled again.',
    access: 'token',
    body: select,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('Webhook')),
        examples: {
          disabled: {
            message: 'Success.',
            data: { ...WEBHOOK, state: 'disabled', disabled_reason: 'manual' },
          },
        },
      },
      notFound,
      { status: 422, fields: selectFields },
    ],
  },
  {
    id: 'testWebhook',
    method: 'post',
    path: `${PATH}/test`,
    group: 'Webhooks',
    summary: 'Test a webhook',
    description:
      'Sends a signed ping the normal way: type 1 with empty arrays, type 2 with zero quantities; `store_id` and `external_id` are `test`. ' +
      'Waits for the outcome, 5 s unless configured otherwise, and shows the delivery as it is then.',
    access: 'token',
    body: select,
    answers: [
      {
        status: 200,
        schema: answerOf(ref('DeliveryWithAttempts')),
        examples: { acknowledged: { message: 'Success.', data: DELIVERY_WITH_ATTEMPTS } },
      },
      notFound,
      { status: 422, fields: selectFields },
    ],
  },
];
