import type { FromSchema } from 'json-schema-to-ts';
import { storeId } from './fields';
import { LIMITS } from './limits';

/** Top level only: the content of the lists has its own rules, messages and status, and is checked separately. */
export const menuUploadSchema = {
  type: 'object',
  required: ['store_id', 'integration_id', 'menus', 'categories', 'items', 'modifier_groups'],
  properties: {
    store_id: storeId,
    integration_id: { type: ['string', 'number'], minLength: 1, maxLength: LIMITS.id },
    menus: { type: 'array', minItems: 1, maxItems: LIMITS.menus },
    categories: { type: 'array', minItems: 1, maxItems: LIMITS.categories },
    items: { type: 'array', minItems: 1, maxItems: LIMITS.items },
    modifier_groups: { type: 'array', maxItems: LIMITS.modifierGroups },
  },
} as const;

export type MenuUpload = FromSchema<typeof menuUploadSchema>;

/** The store and integration whose live menu is checked. */
export const liveCheckSchema = {
  type: 'object',
  required: ['store_id', 'integration_id'],
  properties: {
    store_id: menuUploadSchema.properties.store_id,
    integration_id: menuUploadSchema.properties.integration_id,
  },
} as const;

export const menuUploadQuerySchema = {
  type: 'object',
  properties: { skip_unchanged: { enum: ['true', 'false'] } },
} as const;
