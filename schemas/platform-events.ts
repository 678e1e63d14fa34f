import { LIMITS } from './limits';

/** Events that a platform can subscribe to; a webhook without a selection gets all of them. */
export const PLATFORM_EVENTS = [
  'upload.ended',
  'rollout.ended',
  'availability.failed',
  'menu.drifted',
  'delivery.failed',
  'webhook.paused',
  'webhook.resumed',
  'webhook.disabled',
] as const;
/** Sent by the test of a webhook for events; it cannot be selected. */
export const TEST_EVENT = 'webhook.test';
/** `type` in the body of an event, and of its delivery in lists. */
export const EVENT_TYPES = [...PLATFORM_EVENTS, TEST_EVENT] as const;

const MOST_NAMED = 100;

export const eventsWebhookManageSchema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: LIMITS.url, format: 'url' },
    // The handler checks the names: a wrong one is an error of the whole list.
    events: {
      type: ['array', 'null'],
      minItems: 1,
      maxItems: MOST_NAMED,
      items: {},
      'x-public': {
        type: ['array', 'null'],
        minItems: 1,
        maxItems: MOST_NAMED,
        items: { type: 'string', enum: PLATFORM_EVENTS },
      },
    },
    max_in_flight: { type: ['integer', 'null'], minimum: 1, maximum: 200 },
    max_per_second: { type: ['integer', 'null'], minimum: 1, maximum: 1_000 },
    headers: { type: ['object', 'null'], 'x-refusal': 'invalid_format' },
  },
} as const;

export const eventsWebhookRotateSchema = {
  type: 'object',
  properties: {
    /** Seconds during which the old secret signs as well; at most a week. */
    grace_seconds: { type: ['integer', 'null'], minimum: 0, maximum: 604_800 },
  },
} as const;
