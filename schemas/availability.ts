import { cursor, limit, storeId } from './fields';
import { LIMITS } from './limits';

/** A delivery app of this deployment; a number is taken as well. */
const integrationId = { type: ['string', 'number'], minLength: 1, maxLength: LIMITS.id } as const;

/** The delivery apps that a request names. */
export const integrationIds = {
  type: ['array', 'null'],
  minItems: 1,
  maxItems: LIMITS.integrationsOfRequest,
  items: integrationId,
} as const;

/** A moment with its offset; the handler decides whether it is allowed. */
const until = {
  type: ['string', 'null'],
  format: 'instant',
  'x-refusal': 'invalid_format',
  'x-hint': 'until',
} as const;

/** Items off sale, or on sale again, in some delivery apps of a store. */
export const availabilitySchema = {
  type: 'object',
  required: ['store_id', 'items'],
  properties: {
    store_id: storeId,
    integration_ids: integrationIds,
    items: {
      type: 'array',
      minItems: 1,
      maxItems: LIMITS.changedItems,
      items: {
        type: 'object',
        required: ['external_id', 'available'],
        properties: {
          external_id: { type: 'string', minLength: 1, maxLength: LIMITS.id },
          available: { type: 'boolean', 'x-refusal': 'invalid', 'x-hint': 'boolean' },
          until,
        },
      },
    },
  },
} as const;

/** Pauses a store, so that it takes no orders in some delivery apps. */
export const storePauseSchema = {
  type: 'object',
  properties: {
    integration_ids: integrationIds,
    until,
    reason: { type: ['string', 'null'], maxLength: LIMITS.pauseReason },
  },
} as const;

export const storeResumeSchema = {
  type: 'object',
  properties: { integration_ids: integrationIds },
} as const;

/** Query of the list of what is off sale. */
export const unavailableListSchema = {
  type: 'object',
  properties: {
    store_id: { ...storeId, minLength: 0 },
    integration_id: { type: 'string', maxLength: LIMITS.id },
    limit,
    cursor,
  },
} as const;
