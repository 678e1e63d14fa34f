import { count, type JsonSchema, nullableTime, record, text, time } from './answers';

/* Parts that several answers have in common, so that generators make one type of each. */

const listOf = (name: string): JsonSchema => ({
  type: 'array',
  items: { $ref: `#/components/schemas/${name}` },
});

export const REPEATED_SCHEMAS = {
  Done: record({ message: text, data: { type: 'null' } }, 'A message, and nothing else to know.'),
  AcceptedUpload: record({
    upload_id: text,
    status_url: { ...text, description: 'The path of the upload’s status.' },
  }),
  AcceptedRollout: record({
    rollout_id: text,
    status_url: { ...text, description: 'The path of the rollout’s status.' },
  }),
  MenuChangeOutcomes: record(
    { changes: listOf('MenuChangeOutcome') },
    'One upload for each integration.',
  ),
  ChangeOutcomes: record({ changes: listOf('ChangeOutcome') }, 'One change for each integration.'),
  EventDeliveries: record(
    { deliveries: listOf('EventDelivery') },
    'One delivery for each linked system with a webhook.',
  ),
  EventDeliveryOutcomes: record(
    { deliveries: listOf('EventDeliveryOutcome') },
    'One delivery for each linked system with a webhook.',
  ),
  PayloadAnswer: record({
    message: text,
    data: { description: 'In the form of the delivery app, or as the receiver got it.' },
  }),
  ResentDeliveries: record({ count: { ...count, description: 'How many deliveries.' } }),
  RotatedSecret: record({
    secret: { ...text, description: 'Shown this once.' },
    previous_valid_until: { ...nullableTime, description: 'Until then the old one signs too.' },
    previous: {
      type: 'array',
      description: 'The earlier secrets that still sign, the newest first; at most four.',
      items: record({ valid_until: time }),
    },
  }),
  LossCounts: record(
    { block: count, warn: count, info: count },
    'How many losses of each severity, those included that were left out of the list.',
  ),
  LocationPoint: {
    type: 'object',
    description: 'GeoJSON: longitude first.',
    required: ['type', 'coordinates'],
    properties: {
      type: { const: 'Point' },
      coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
    },
  },
  Readiness: record({
    status: { type: 'string', enum: ['ok', 'unavailable'] },
    postgres: { type: 'string', enum: ['ok', 'unreachable', 'read_only', 'schema_behind'] },
    stopping: { type: 'boolean' },
    temporal: { type: 'string', enum: ['ok', 'unreachable'] },
    oldest_due_seconds: { type: ['integer', 'null'] },
    clock_skew_seconds: {
      type: ['integer', 'null'],
      description:
        'The clock of this process minus that of the database; null until that is known.',
    },
  }),
} satisfies Readonly<Record<string, JsonSchema>>;
