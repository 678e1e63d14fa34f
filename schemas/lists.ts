import { cursor, inventorySystemId, limit, moment, name, storeId, webhookType } from './fields';
import { LIMITS } from './limits';
import { EVENT_TYPES } from './platform-events';
import { DELIVERY_STATES, ROLLOUT_STATES, TARGET_STATES, UPLOAD_STATES } from './states';

/** Filters are optional, so an empty value is wrong rather than missing. */
const filter = { minLength: 0 } as const;

/** Postgres has no text with this character, so it is refused here. */
const withoutNul = { pattern: '^[^\\u0000]*$' } as const;

/** An id of another system, such as that of a request, any text: one that there is not finds nothing. */
const foreignId = { type: 'string', maxLength: LIMITS.id, ...withoutNul } as const;

/** The status of an HTTP answer. */
const httpStatus = {
  type: 'string',
  'x-public': { type: 'integer', minimum: 100, maximum: 599 },
  allOf: [
    { pattern: '^\\d{1,12}$', 'x-refusal': 'not_number', 'x-hint': 'httpStatus' },
    { pattern: '^[1-5]\\d\\d$', 'x-refusal': 'invalid', 'x-hint': 'httpStatus' },
  ],
} as const;

/** Query of a list that has no filter. */
export const pageSchema = { type: 'object', properties: { limit, cursor } } as const;

/** What is searched for: an id, or words of a name. */
const q = { ...name, ...withoutNul } as const;

/** Query of the list of stores. */
export const storeListSchema = { type: 'object', properties: { q, limit, cursor } } as const;

/** Query of the search. */
export const searchSchema = { type: 'object', required: ['q'], properties: { q } } as const;

/** Query of the list of uploads. */
export const uploadListSchema = {
  type: 'object',
  properties: {
    store_id: { ...storeId, ...filter },
    integration_id: { type: 'string', maxLength: LIMITS.id },
    state: { enum: UPLOAD_STATES },
    since: moment,
    until: moment,
    request_id: foreignId,
    limit,
    cursor,
  },
} as const;

/** Query of what happened to a store. */
export const timelineSchema = {
  type: 'object',
  properties: { since: moment, until: moment, limit, cursor },
} as const;

/** Query of the list of rollouts. */
export const rolloutListSchema = {
  type: 'object',
  properties: {
    state: { enum: ROLLOUT_STATES },
    limit,
    cursor,
  },
} as const;

/** Query of the targets of a rollout. */
export const rolloutTargetListSchema = {
  type: 'object',
  properties: {
    state: { enum: TARGET_STATES },
    limit,
    cursor,
  },
} as const;

/** Query of what is live in a store's delivery apps. */
export const liveMenuListSchema = {
  type: 'object',
  required: ['store_id'],
  properties: { store_id: storeId, limit, cursor },
} as const;

/** Query of the list of deliveries. */
export const deliveryListSchema = {
  type: 'object',
  properties: {
    inventory_system_id: { ...inventorySystemId, ...filter },
    events: { enum: ['true', 'false'] },
    type: {
      ...webhookType,
      ...filter,
      enum: [...webhookType.enum, ...EVENT_TYPES],
      'x-hint': 'deliveryType',
      'x-public': { type: 'string', enum: ['1', '2', ...EVENT_TYPES] },
    },
    state: { enum: DELIVERY_STATES },
    store_id: { ...storeId, ...filter },
    external_id: foreignId,
    receiver_status: httpStatus,
    since: moment,
    until: moment,
    request_id: foreignId,
    limit,
    cursor,
  },
} as const;

/** Body of the resend by filter: the filter of the list, and whether to only count. */
export const deliveryResendSchema = {
  type: 'object',
  properties: {
    inventory_system_id: { ...inventorySystemId, ...filter, type: ['string', 'null'] },
    type: {
      ...webhookType,
      ...filter,
      type: ['string', 'number', 'null'],
      enum: [...webhookType.enum, ...EVENT_TYPES, null],
      'x-hint': 'deliveryType',
      'x-public': {
        anyOf: [
          { type: 'integer', enum: [1, 2] },
          { type: 'string', enum: ['1', '2', ...EVENT_TYPES] },
          { type: 'null' },
        ],
      },
    },
    events: { type: ['boolean', 'null'], 'x-refusal': 'invalid', 'x-hint': 'boolean' },
    state: { enum: [...DELIVERY_STATES, null] },
    store_id: {
      ...storeId,
      ...filter,
      type: ['string', 'number', 'null'],
      'x-public': {
        anyOf: [
          { type: 'integer', format: 'int64', minimum: 0, maximum: storeId.maximum },
          { type: 'string', pattern: storeId.pattern },
          { type: 'null' },
        ],
      },
    },
    external_id: { ...foreignId, type: ['string', 'null'] },
    receiver_status: {
      type: ['string', 'number', 'null'],
      pattern: '^[1-5]\\d\\d$',
      minimum: 100,
      maximum: 599,
      multipleOf: 1,
      'x-refusal': 'invalid',
      'x-hint': 'httpStatus',
      'x-public': { type: ['integer', 'null'], minimum: 100, maximum: 599 },
    },
    since: { ...moment, type: ['string', 'null'], 'x-hint': 'date' },
    until: { ...moment, type: ['string', 'null'], 'x-hint': 'date' },
    request_id: { ...foreignId, type: ['string', 'null'] },
    dry_run: { type: ['boolean', 'null'], 'x-refusal': 'invalid', 'x-hint': 'boolean' },
  },
} as const;
