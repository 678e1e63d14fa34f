import { PLATFORM_EVENTS } from '../../schemas/platform-events';
import { orNull, record } from './answers';

const text = { type: 'string' };
const nullableTime = { type: ['string', 'null'], format: 'date-time' };
const count = { type: 'integer', minimum: 0 };

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
    description: 'Nothing is sent until then; in the past: the next attempt is a probe.',
  },
  pending: { ...count, description: 'Deliveries that wait, counted up to 10,000.' },
  oldest_pending_at: nullableTime,
  last_success_at: {
    ...nullableTime,
    description: 'Of the newest 1,000 deliveries.',
  },
  attempts_1h: {
    ...count,
    description:
      'Attempts of the last hour, of the deliveries made in it or still waiting; past 1,000 deliveries worked out from the newest.',
  },
  failures_1h: { ...count, description: 'Of these, those that failed.' },
  p50_ms: { type: ['integer', 'null'], description: 'Median duration of these attempts.' },
  p99_ms: { type: ['integer', 'null'], description: '99 of 100 of them took at most this long.' },
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
    description: 'Verifies the signatures. Shown only when the webhook is new: keep it.',
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
