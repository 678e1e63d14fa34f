import { EVENT_TYPES } from '../../schemas/platform-events';
import {
  component,
  type JsonSchema,
  numericId,
  orNull,
  record,
  text,
  time,
} from '../contract/answers';
import { asciiUpper } from '../platform/text/ascii-case';
import {
  CHANGE_END,
  DELIVERY_END,
  DRIFTED,
  LIVE_MENU,
  ROLLOUT_VIEW,
  SYSTEM_ID,
  UPLOAD,
  UPLOAD_END,
  WEBHOOK,
} from '../contract/examples';

/* What the service sends: to inventory systems by type, to the platform by event. */

const header = (description: string, schema: JsonSchema = text): JsonSchema => ({
  required: true,
  description,
  schema,
});

const SIGNED = [
  ['webhook-id', 'The same for every attempt of a message: apply each once.'],
  ['webhook-timestamp', 'When the attempt was made, in seconds since 1970.'],
  [
    'webhook-signature',
    '`v1,<base64>` of HMAC-SHA256 over id, timestamp and body, by Standard Webhooks.',
  ],
  ['webhook-sequence', 'Grows with each message of a webhook; not signed.'],
] as const;
const DATED = [
  ...SIGNED,
  ['X-Signature-Request', '`v1=<hex>` of HMAC-SHA256 over `now` and body.'],
] as const;

const STOCK_EXAMPLE = {
  now: '2026-11-21T12:40:37.000Z',
  inventory_system_id: SYSTEM_ID,
  external_id: 'margherita',
  current_stock: '9',
  quantity: '1',
  date: '2026-11-21T10:00:00Z',
  movement_type: 2,
  store_id: 'S-77',
};

/** The bodies of webhooks, with the `data` of each event. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ItemDataMessage: record({
    now: time,
    inventory_system_id: text,
    units: { type: 'array', items: {} },
    items: { type: 'array', items: {} },
    suppliers: { type: 'array', items: {} },
    store_id: { ...text, description: 'The store’s id in the inventory system.' },
  }),
  StockMessage: record({
    now: time,
    inventory_system_id: text,
    external_id: { ...text, description: 'The item’s id in the POS.' },
    current_stock: text,
    quantity: text,
    date: text,
    movement_type: { type: 'integer', enum: [1, 2] },
    store_id: { ...text, description: 'The store’s id in the inventory system.' },
  }),
  DriftedMenu: record({
    store_id: numericId,
    integration_id: text,
    upload_id: { type: ['string', 'null'] },
    live_since: { type: ['string', 'null'], format: 'date-time' },
    drift: component('Drift'),
  }),
  WebhookChange: record({
    type: component('WebhookType'),
    inventory_system_id: { type: 'string', format: 'uuid' },
    url: text,
    state: component('WebhookState'),
    disabled_reason: orNull(component('WebhookDisabledReason')),
    paused_until: { type: ['string', 'null'], format: 'date-time' },
  }),
};

interface EventDescription {
  readonly when: string;
  readonly data: JsonSchema;
  readonly example: object;
}

const WEBHOOK_CHANGE = { ...WEBHOOK, paused_until: null };
const webhookChange = component('WebhookChange');

/** The content of each event; events without an entry are not sent yet. */
type EventType = (typeof EVENT_TYPES)[number];

const EVENTS: Partial<Record<EventType, EventDescription>> = {
  'upload.ended': {
    when: 'An upload has ended, in any state; without its losses.',
    data: component('UploadEnd'),
    example: { ...UPLOAD_END, steps: UPLOAD.steps },
  },
  'availability.failed': {
    when: 'Items could not be taken off sale or put back, or a store could not be paused or resumed.',
    data: component('AvailabilityChangeEnd'),
    example: { ...CHANGE_END, state: 'failed', messages: ['No such item.'] },
  },
  'menu.drifted': {
    when: 'A delivery app was read and shows another menu than the one that is live; once for each difference.',
    data: component('DriftedMenu'),
    example: { store_id: 1, ...LIVE_MENU, drift: DRIFTED },
  },
  'rollout.ended': {
    when: 'A rollout has ended: done, stopped, canceled or reverted.',
    data: component('Rollout'),
    example: { ...ROLLOUT_VIEW, state: 'done' },
  },
  'delivery.failed': {
    when: 'A delivery to an inventory system was refused or given up.',
    data: component('DeliveryEnd'),
    example: { ...DELIVERY_END, state: 'refused', receiver_status: 409, message: 'Unknown item.' },
  },
  'webhook.paused': {
    when: 'A receiver keeps failing, so deliveries to it are paused.',
    data: webhookChange,
    example: { ...WEBHOOK_CHANGE, paused_until: '2026-11-21T12:41:07.902Z' },
  },
  'webhook.resumed': {
    when: 'A paused receiver works again, or has a new URL.',
    data: webhookChange,
    example: WEBHOOK_CHANGE,
  },
  'webhook.disabled': {
    when: 'A webhook was disabled: by its owner, by a 410, or after five days without a success.',
    data: webhookChange,
    example: { ...WEBHOOK_CHANGE, state: 'disabled', disabled_reason: 'gone' },
  },
  'webhook.test': { when: 'Its user asked for a test.', data: { type: 'object' }, example: {} },
};

/** The `webhooks` of the document. */
export const WEBHOOKS: Readonly<Record<string, JsonSchema>> = {
  itemData: {
    post: message({
      id: 'itemDataMessage',
      summary: 'Type 1: item data of a POS',
      headers: DATED,
      schema: component('ItemDataMessage'),
      example: {
        now: STOCK_EXAMPLE.now,
        inventory_system_id: SYSTEM_ID,
        units: [],
        items: [],
        suppliers: [],
        store_id: 'S-77',
      },
      answers: { default: { description: 'Delivered, except for 408, 425, 429 and 5xx.' } },
    }),
  },
  stockMovement: {
    post: message({
      id: 'stockMovementMessage',
      summary: 'Type 2: a stock movement in a POS',
      headers: DATED,
      schema: component('StockMessage'),
      example: STOCK_EXAMPLE,
      answers: {
        204: { description: 'Acknowledged.' },
        '4XX': { description: 'Refused, with a JSON `message`; without one it is tried again.' },
        default: { description: 'Tried again.' },
      },
    }),
  },
  ...Object.fromEntries(
    EVENT_TYPES.flatMap((type) => {
      const event = EVENTS[type];
      return event === undefined ? [] : [[type, { post: eventMessage(type, event) }]];
    }),
  ),
};

function eventMessage(type: EventType, { when, data, example }: EventDescription): JsonSchema {
  return message({
    id: eventMessageId(type),
    summary: when,
    headers: SIGNED,
    schema: record({
      type: { type: 'string', const: type },
      timestamp: { ...time, description: 'When it happened; the same in every attempt.' },
      data,
    }),
    example: { type, timestamp: '2026-11-21T12:40:38.005Z', data: example },
    answers: {
      '2XX': { description: 'Delivered.' },
      410: { description: 'The receiver wants no more events: the webhook is disabled.' },
      default: { description: 'Tried again.' },
    },
  });
}

/**
 * `upload.ended` → `uploadEndedMessage`: must differ from the API's operation ids, or generators of code drop one.
 */
function eventMessageId(type: EventType): string {
  return `${type.replaceAll(/\.(\w)/g, (_, first: string) => asciiUpper(first))}Message`;
}

interface Message {
  readonly id: string;
  readonly summary: string;
  readonly headers: readonly (readonly [name: string, description: string])[];
  readonly schema: JsonSchema;
  readonly example: object;
  readonly answers: JsonSchema;
}

function message({ id, summary, headers, schema, example, answers }: Message): JsonSchema {
  return {
    operationId: id,
    summary,
    // OpenAPI has no scheme for a signature over the body.
    security: [],
    parameters: headers.map(([name, description]) => ({
      name,
      in: 'header',
      ...header(description),
    })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: answers,
  };
}
