import { component, count, type JsonSchema, nullableText, record, text, time } from './answers';

const status = { type: ['integer', 'null'], minimum: 100, maximum: 599 };
const uuid = { type: 'string', format: 'uuid' };
const deliveryState = component('DeliveryState');

/** What was tried for a delivery, and what the receivers of an event made of it. */
export const ATTEMPT_SCHEMAS = {
  Attempt: record({
    number: { type: 'integer', minimum: 1 },
    started_at: time,
    duration_ms: count,
    status,
    error: { ...nullableText, description: 'Why there is no whole answer: a code.' },
    detail: { ...nullableText, description: 'What is wrong, in words.' },
    response: { ...nullableText, description: 'First 1 KB of the answer.' },
  }),
  EventDelivery: record({
    delivery_id: text,
    inventory_system_id: uuid,
    state: deliveryState,
  }),
  EventDeliveryOutcome: record({
    delivery_id: text,
    inventory_system_id: uuid,
    state: deliveryState,
    receiver_status: status,
    message: nullableText,
  }),
} satisfies Readonly<Record<string, JsonSchema>>;
