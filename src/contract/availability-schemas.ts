import { CHANGE_KINDS, CHANGE_STATES, MARK_SOURCES } from '../../schemas/states';
import { component, nullableText, nullableTime, numericId, record, text, time } from './answers';
import { waiting_for } from './waiting-schema';

const state = { $ref: '#/components/schemas/ChangeState' };
const messages = {
  type: 'array',
  items: text,
  description:
    'Why it failed or was superseded; if it is done, which items can not be ordered while their options are off sale.',
};
const change = {
  change_id: text,
  store_id: numericId,
  integration_id: text,
  kind: { type: 'string', enum: CHANGE_KINDS },
  state,
  messages,
  items: {
    type: 'array',
    description: 'Empty for a change of the whole store.',
    items: component('ChangedItem'),
  },
  created_at: time,
  finished_at: nullableTime,
} as const;
const REASON = {
  reason: {
    ...nullableText,
    description: 'Only of a pause or its end: the reason that was given.',
  },
};
const listState = { type: 'string', enum: ['queued', 'running', 'done', 'failed'] };

/** The parts of answers about availability and pauses. */
export const AVAILABILITY_SCHEMAS = {
  ChangeState: {
    type: 'string',
    enum: CHANGE_STATES,
    description: '`superseded`: newer changes took its place, or its time had passed.',
  },
  ChangeOutcome: record(
    {
      change_id: text,
      integration_id: { ...text, description: 'As it was named in the request.' },
      state,
      waiting_for,
      messages,
    },
    undefined,
    REASON,
  ),
  AvailabilityChangeView: record({ ...change, waiting_for }, undefined, REASON),
  AvailabilityChangeEnd: record(change, undefined, REASON),
  ChangedItem: record({
    external_id: text,
    state: {
      type: 'string',
      enum: CHANGE_STATES,
      description: '`queued`, `running`: the app has not been told, or has not answered.',
    },
    message: nullableText,
  }),
  UnavailableItem: record({
    external_id: text,
    store_id: numericId,
    integration_id: text,
    until: {
      ...nullableTime,
      description: 'Null: until it is put back on sale, or for good if its season is over.',
    },
    since: time,
    source: {
      type: 'string',
      enum: MARK_SOURCES,
      description: 'The holder that keeps it off sale; of several, the first in this order.',
    },
    state: listState,
    message: {
      ...nullableText,
      description:
        'What the delivery app said, or why it was not possible; while it waits, what for.',
    },
    waiting_for,
  }),
  StoreSpecialDays: record({
    days: {
      type: 'array',
      items: component('SpecialDay'),
      description: 'Those that were set last and are not over, as they were sent.',
    },
    integrations: { type: 'array', items: component('SpecialDaysInApp') },
  }),
  SpecialDay: record(
    { date: { type: 'string', format: 'date' } },
    'Closed, or open in these periods only.',
    {
      closed: { type: 'boolean' },
      periods: { type: 'array', items: record({ start: text, end: text }) },
      name: text,
    },
  ),
  SpecialDaysInApp: record({
    integration_id: text,
    state,
    message: { ...nullableText, description: 'Why it failed or waits.' },
  }),
  StorePauseState: record({
    since: time,
    until: nullableTime,
    reason: nullableText,
    state: listState,
    waiting_for,
  }),
} as const;
