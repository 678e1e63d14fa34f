import { PLATFORM_EVENTS } from '../../schemas/platform-events';
import { count, nullableTime, orNull, record, text } from './answers';

/** Only the names of a receiver's headers are shown. */
export const headerNames = {
  type: 'array',
  items: text,
  description:
    'Names of the headers that are sent with each request; their values are never shown.',
};

/** What became of a webhook's deliveries lately. */
export const HealthFigures = record({
  consecutive_failures: count,
  failing_since: nullableTime,
  paused_until: {
    ...nullableTime,
    description:
      'Nothing is sent until then: ten attempts in a row failed, or the receiver asked for it by Retry-After. If it is in the past, the next attempt is a probe.',
  },
  pending: { ...count, description: 'How many deliveries wait, counted up to 10,000.' },
  oldest_pending_at: nullableTime,
  last_success_at: {
    ...nullableTime,
    description: 'The latest success among the newest 1,000 deliveries.',
  },
  attempts_1h: {
    ...count,
    description:
      'How many attempts were made in the last hour, for deliveries that were made in it or still wait; beyond 1,000 deliveries an estimate from the newest.',
  },
  failures_1h: { ...count, description: 'How many of them failed.' },
  p50_ms: { type: ['integer', 'null'], description: 'Median duration of these attempts.' },
  p99_ms: {
    type: ['integer', 'null'],
    description: '99th percentile of the duration of these attempts.',
  },
});

const health = { $ref: '#/components/schemas/HealthFigures' };

const eventsWebhook = {
  url: text,
  events: { type: 'array', items: { type: 'string', enum: PLATFORM_EVENTS } },
  state: { $ref: '#/components/schemas/WebhookState' },
  disabled_reason: orNull({ $ref: '#/components/schemas/WebhookDisabledReason' }),
  max_in_flight: { type: 'integer', minimum: 1 },
  max_per_second: { type: ['integer', 'null'], description: 'Null: no limit.' },
  header_names: headerNames,
};

/** A user's webhook for events. */
export const EventsWebhook = record(eventsWebhook, undefined, {
  secret: {
    ...text,
    description: 'Verifies the signatures. Shown only once, when the webhook is new: store it.',
  },
});
export const EventsWebhookHealth = record({ ...eventsWebhook, health });

/** A webhook as its owner sees it. */
export const WebhookHealth = record({
  type: { $ref: '#/components/schemas/WebhookType' },
  url: text,
  state: { $ref: '#/components/schemas/WebhookState' },
  disabled_reason: orNull({ $ref: '#/components/schemas/WebhookDisabledReason' }),
  max_in_flight: { type: 'integer', minimum: 1 },
  max_per_second: { type: ['integer', 'null'], description: 'Null: no limit.' },
  header_names: headerNames,
  health,
});
