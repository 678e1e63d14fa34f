import {
  DELIVERY_STATES,
  DRIFT_STATES,
  UPLOAD_STATES,
  UPLOAD_STEP_STATES,
  UPLOAD_STEPS,
} from '../../schemas/states';
import { ATTEMPT_SCHEMAS } from './attempt-schemas';
import { AVAILABILITY_SCHEMAS } from './availability-schemas';
import { EVENT_TYPES } from '../../schemas/platform-events';
import {
  component,
  count,
  ERROR_MESSAGES,
  type JsonSchema,
  nullableText,
  nullableTime,
  numericId,
  orNull,
  record,
  text,
  time,
} from './answers';
import { PREVIEW_SCHEMAS } from './preview-schemas';
import { REPEATED_SCHEMAS } from './repeated-schemas';
import { TimelineEntry } from './timeline-schema';
import { UPLOAD_SCHEMAS } from './upload-schemas';
import { waiting_for, WaitingFor, WaitingReason } from './waiting-schema';
import { Found } from './found';
import { ROLLOUT_SCHEMAS } from './rollout-schemas';
import {
  EventsWebhook,
  EventsWebhookHealth,
  HealthFigures,
  WebhookHealth,
} from './webhook-health-schema';

/* The parts of answers. Tests compare them with the examples and with real answers. */

const status = { type: ['integer', 'null'], minimum: 100, maximum: 599 };
const uuid = { type: 'string', format: 'uuid' };
const webhookType = component('WebhookType');
const deliveryState = component('DeliveryState');

export function ref(schema: keyof typeof ANSWER_SCHEMAS): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

/** `{"message": "…", "data": …}`, the form of every success. */
export function answerOf(data: JsonSchema): JsonSchema {
  return record({ message: text, data });
}

/** A page of a list, newest first. */
export function pageAnswer(entry: JsonSchema): JsonSchema {
  return record({
    message: text,
    data: { type: 'array', items: entry },
    next_cursor: { ...nullableText, description: 'Null on the last page.' },
  });
}

const delivery = {
  delivery_id: text,
  inventory_system_id: {
    type: ['string', 'null'],
    format: 'uuid',
    description: 'Null for an event.',
  },
  type: { anyOf: [webhookType, component('EventType')] },
  store_id: {
    ...orNull(numericId),
    description: 'Null for a test, and for an event that is not about a single store.',
  },
  state: deliveryState,
  attempts_made: count,
  next_attempt_at: nullableTime,
  created_at: time,
  finished_at: nullableTime,
  receiver_status: status,
  message: { ...nullableText, description: 'The latest message of the receiver.' },
};
const pendingDelivery = { ...delivery, waiting_for };

const triedDelivery = {
  ...pendingDelivery,
  attempts: { type: 'array', items: component('Attempt') },
};

const newStore = {
  id: numericId,
  name: text,
  country: { ...text, description: 'The country’s English name.' },
  direction: nullableText,
  location_point: orNull(component('LocationPoint')),
  time_zone: { ...nullableText, description: 'IANA name.' },
} as const;

export const ANSWER_SCHEMAS = {
  UploadState: { type: 'string', enum: UPLOAD_STATES },
  UploadStepName: { type: 'string', enum: UPLOAD_STEPS },
  UploadStepState: { type: 'string', enum: UPLOAD_STEP_STATES },
  LossSeverity: { type: 'string', enum: ['block', 'warn', 'info'] },
  WebhookType: {
    type: 'integer',
    enum: [1, 2],
    description: '1 POS item data, 2 stock movements.',
  },
  EventType: { type: 'string', enum: EVENT_TYPES, description: 'The type of a platform event.' },
  WebhookState: { type: 'string', enum: ['enabled', 'disabled'] },
  WebhookDisabledReason: { type: 'string', enum: ['gone', 'failing', 'manual', 'owner_inactive'] },
  WaitingReason,
  WaitingFor,
  DeliveryState: { type: 'string', enum: DELIVERY_STATES },
  TimelineEntry,
  Error: record(
    { message: ERROR_MESSAGES, data: { type: 'null' } },
    'Every sentence that applies: at most 50, then one that says how many more there are.',
  ),
  FieldErrors: {
    type: 'object',
    description: 'Field → sentences. Nested fields use dots.',
    additionalProperties: { type: 'array', items: text, minItems: 1 },
  },
  Problem: {
    type: 'object',
    description: 'RFC 9457, for clients that send `Accept: application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'code', 'errors'],
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      code: { ...text, description: 'A stable code for programs.' },
      errors: {
        type: 'array',
        maxItems: 50,
        description:
          'At most 50. If there are more, the first of every sentence comes first; `omitted` has the others.',
        items: {
          type: 'object',
          required: ['code', 'pointer', 'detail'],
          properties: {
            code: text,
            pointer: {
              ...text,
              description: 'JSON Pointer into the body; empty for what has no place in it.',
            },
            detail: text,
            external_id: {
              ...text,
              description:
                'That of the nearest menu, category, item or modifier group that has one.',
            },
            value: {
              description:
                'The refused value, of its own type, a text cut after 100 characters; absent for a missing one, a long object or list, and what may be a secret.',
            },
            hint: { ...text, description: 'What to write, where a form is wanted.' },
          },
        },
      },
      omitted: {
        type: 'array',
        maxItems: 51,
        description: 'Only if `errors` does not have all: the others by sentence.',
        items: {
          type: 'object',
          required: ['detail', 'count'],
          properties: { detail: text, count: { type: 'integer', minimum: 1 } },
        },
      },
    },
  },
  ...REPEATED_SCHEMAS,
  ...UPLOAD_SCHEMAS,
  ...PREVIEW_SCHEMAS,
  ...ROLLOUT_SCHEMAS,
  CreatedStore: record(newStore),
  Store: record({
    ...newStore,
    availability_from_stock: { type: 'string', enum: ['off', 'on'] },
  }),
  Found,
  InventorySystem: record({
    inventory_system_id: uuid,
    inventory_system_details: record({ name: text }),
  }),
  StoreLinkAnswer: record({
    inventory_system_id: uuid,
    store_id: numericId,
    external_store_id: text,
  }),
  StoreIntegration: record({
    integration_id: text,
    name: text,
    app: { ...text, description: 'The delivery app.' },
    active: { type: 'boolean' },
    has_token: { type: 'boolean', description: 'Whether the store has a credential for this app.' },
    delivery_id: { ...nullableText, description: 'The store’s id in the delivery app.' },
    live_upload_id: { ...nullableText, description: 'The upload that the app shows.' },
    paused: {
      ...orNull(component('StorePauseState')),
      description: 'Null: the store takes orders there.',
    },
  }),
  LiveMenu: record({
    integration_id: text,
    upload_id: { ...nullableText, description: 'Null if no menu has been live yet.' },
    live_since: nullableTime,
    drift: component('Drift'),
  }),
  CheckedMenu: record({
    store_id: numericId,
    integration_id: text,
    upload_id: nullableText,
    live_since: nullableTime,
    drift: component('Drift'),
    changes: {
      type: 'array',
      items: { type: 'object' },
      maxItems: 100,
      description: 'The first ones, in the form of the changes between two uploads.',
    },
  }),
  Drift: record(
    {
      state: { type: 'string', enum: DRIFT_STATES },
      checked_at: nullableTime,
      changes_count: { type: ['integer', 'null'], minimum: 0 },
    },
    'Whether the app still showed this menu when it was read last.',
  ),
  ...AVAILABILITY_SCHEMAS,
  Webhook: record({
    type: webhookType,
    inventory_system_id: uuid,
    url: text,
    state: component('WebhookState'),
    disabled_reason: {
      ...orNull(component('WebhookDisabledReason')),
      description:
        'The receiver answered 410, five days passed without a success, its owner disabled it, or its owner is deactivated.',
    },
  }),
  WebhookHealth,
  HealthFigures,
  EventsWebhook,
  EventsWebhookHealth,
  Delivery: record(pendingDelivery),
  DeliveryEnd: record(delivery),
  DeliveryWithAttempts: record(triedDelivery),
  DeliveryWithPayload: record({
    ...triedDelivery,
    payload_url: { ...nullableText, description: 'Where the payload is, if it is over 256 KB.' },
    payload: {
      description: 'As the receiver got it last. Null before the first attempt, and over 256 KB.',
    },
  }),
  ...ATTEMPT_SCHEMAS,
} satisfies Readonly<Record<string, JsonSchema>>;
