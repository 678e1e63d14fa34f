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
import { CHANGE_WAYS } from '../../schemas/states';
import { waiting_for } from './waiting-schema';

const uploadFields = {
  upload_id: text,
  store_id: numericId,
  integration_id: text,
  state: component('UploadState'),
  created_at: time,
  finished_at: nullableTime,
  next_attempt_at: nullableTime,
  loss_counts: component('LossCounts'),
  republished_from: { ...nullableText, description: 'The upload whose menu was sent again.' },
  rollout_id: { ...nullableText, description: 'The rollout that it is part of.' },
  user_id: { ...text, description: 'The user who sent it.' },
  request_id: { ...text, description: 'The `X-Request-Id` of the request that made it.' },
  trace_url: { ...nullableText, description: 'The run in the Temporal UI.' },
} as const;

const CHANGED_FROM = {
  changed_from: {
    ...text,
    description: 'Only of a change of single items: the upload on whose menu it was made.',
  },
} as const;

/** Uploads as answers and events show them. */
export const UPLOAD_SCHEMAS = {
  UploadSummary: record(
    {
      ...uploadFields,
      waiting_for,
      messages: {
        type: 'array',
        items: text,
        maxItems: 5,
        description: 'The first five; all are at the upload’s own URL.',
      },
    },
    undefined,
    CHANGED_FROM,
  ),
  UploadEnd: record(
    {
      ...uploadFields,
      messages: { type: 'array', items: text },
      steps: { type: 'array', items: { $ref: '#/components/schemas/UploadStep' } },
    },
    undefined,
    CHANGED_FROM,
  ),
  Upload: record(
    {
      ...uploadFields,
      waiting_for,
      messages: {
        type: 'array',
        items: text,
        description: 'Until it ends, what `waiting_for` says.',
      },
      losses: {
        type: 'array',
        items: { $ref: '#/components/schemas/Loss' },
        maxItems: 1001,
        description:
          'The most severe first. At most 1,000, then `losses_omitted` says how many were left out.',
      },
      steps: { type: 'array', items: { $ref: '#/components/schemas/UploadStep' } },
    },
    undefined,
    CHANGED_FROM,
  ),
  MenuChangeOutcome: record({
    upload_id: { ...nullableText, description: 'Null: there is nothing to change there.' },
    integration_id: { ...text, description: 'As it was named in the request.' },
    state: component('UploadState'),
    way: orNull({
      type: 'string',
      enum: CHANGE_WAYS,
      description:
        'By the calls of the app about single items, or with the whole menu; null: not known yet.',
    }),
    waiting_for,
    messages: { type: 'array', items: text },
  }),
  UploadStep: record(
    {
      name: component('UploadStepName'),
      state: component('UploadStepState'),
      attempts: count,
      started_at: nullableTime,
      finished_at: nullableTime,
    },
    undefined,
    { answer: { $ref: '#/components/schemas/AppAnswer' } },
  ),
  AppAnswer: record(
    {
      status: { type: ['integer', 'null'] },
      error: { ...nullableText, description: 'Why there was no complete answer.' },
      body: { ...nullableText, description: 'Its first 2,000 characters, secrets blacked out.' },
    },
    'What the delivery app answered when a step failed.',
  ),
  Loss: record(
    {
      code: text,
      severity: component('LossSeverity'),
      pointer: {
        ...text,
        description:
          'JSON Pointer into the body of the upload; empty for `losses_omitted`, and for a field beside the menu.',
      },
      external_id: { ...nullableText, description: 'Null where `pointer` is empty.' },
      message: text,
    },
    'Something that the delivery app will not show as it was sent. `block` stopped the upload.',
  ),
} satisfies Readonly<Record<string, JsonSchema>>;
