import { cursor, inventorySystemId, limit, storeId, webhookType } from './fields';
import { LIMITS } from './limits';

const uploadState = {
  enum: ['queued', 'running', 'uploaded', 'partly_uploaded', 'failed', 'superseded', 'canceled'],
} as const;

const deliveryState = {
  enum: ['pending', 'delivered', 'acknowledged', 'refused', 'exhausted', 'discarded'],
} as const;

/** Nothing of a filter is required, so an empty value is a wrong one and not a missing one. */
const filter = { minLength: 0 } as const;

/** Query of a list that has no filter. */
export const pageSchema = { type: 'object', properties: { limit, cursor } } as const;

/** Query of the list of uploads. */
export const uploadListSchema = {
  type: 'object',
  properties: {
    store_id: { ...storeId, ...filter },
    integration_id: { type: 'string', maxLength: LIMITS.id },
    state: uploadState,
    limit,
    cursor,
  },
} as const;

/** Query of the list of deliveries. */
export const deliveryListSchema = {
  type: 'object',
  properties: {
    inventory_system_id: { ...inventorySystemId, ...filter },
    type: { ...webhookType, ...filter },
    state: deliveryState,
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
      enum: [1, 2, '1', '2', null],
    },
    state: { enum: [...deliveryState.enum, null] },
    dry_run: { type: ['boolean', 'null'], 'x-refusal': 'invalid' },
  },
} as const;
