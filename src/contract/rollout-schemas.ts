import { REVERT_STATES, ROLLOUT_STATES, TARGET_STATES } from '../../schemas/states';
import {
  component,
  count,
  type JsonSchema,
  nullableText,
  nullableTime,
  numericId,
  orNull,
  record,
  text,
  time,
} from './answers';
import { waiting_for } from './waiting-schema';

const countsOf = (states: readonly string[], description?: string): JsonSchema =>
  record(Object.fromEntries(states.map((state) => [state, count])), description);

/** Rollouts as answers and events show them. */
export const ROLLOUT_SCHEMAS = {
  RolloutState: { type: 'string', enum: ROLLOUT_STATES },
  TargetState: { type: 'string', enum: TARGET_STATES },
  Rollout: record({
    rollout_id: text,
    state: component('RolloutState'),
    parallel: { type: 'integer', minimum: 1, maximum: 50 },
    stop_after_failures: { ...count, description: '0: never.' },
    created_at: time,
    finished_at: nullableTime,
    counts: countsOf(TARGET_STATES, 'Targets by state.'),
    revert: {
      ...orNull(countsOf(REVERT_STATES)),
      description: 'The targets by their state since the rollout was taken back; null before.',
    },
  }),
  RolloutTarget: record({
    store_id: {
      anyOf: [numericId, { type: 'number' }, text],
      description: 'As it was sent, if it names no store.',
    },
    integration_id: text,
    state: component('TargetState'),
    upload_id: { ...nullableText, description: 'Null where no upload could be made.' },
    waiting_for: { ...waiting_for, description: 'Why its upload has not ended.' },
    messages: { type: 'array', items: text, maxItems: 5 },
    live: { type: 'boolean', description: 'Whether the app shows the menu of the rollout.' },
  }),
} satisfies Readonly<Record<string, JsonSchema>>;
