import type { FromSchema } from 'json-schema-to-ts';
import { inventorySystemId, webhookType } from './fields';
import { LIMITS } from './limits';

export const webhookManageSchema = {
  type: 'object',
  required: ['type', 'inventory_system_id', 'url'],
  properties: {
    type: webhookType,
    inventory_system_id: inventorySystemId,
    // Only its form is checked here; whether the URL may be called is decided by the handler.
    url: { type: 'string', minLength: 1, maxLength: LIMITS.url, format: 'url' },
    max_in_flight: { type: ['integer', 'null'], minimum: 1, maximum: 200 },
    /** Null removes the limit. */
    max_per_second: { type: ['integer', 'null'], minimum: 1, maximum: 1_000 },
    // The handler decides which names and values may be set.
    headers: { type: ['object', 'null'], 'x-refusal': 'invalid_format' },
  },
} as const;

export const webhookRotateSchema = {
  type: 'object',
  required: ['type', 'inventory_system_id'],
  properties: {
    type: webhookType,
    inventory_system_id: inventorySystemId,
    /** Seconds during which the old secret signs as well; at most a week. */
    grace_seconds: { type: ['integer', 'null'], minimum: 0, maximum: 604_800 },
  },
} as const;

/** The subscription to enable, disable or test. */
export const webhookSelectSchema = {
  type: 'object',
  required: ['type', 'inventory_system_id'],
  properties: { type: webhookType, inventory_system_id: inventorySystemId },
} as const;

export type WebhookSelect = FromSchema<typeof webhookSelectSchema>;
export type WebhookManage = FromSchema<typeof webhookManageSchema>;
