import type { FromSchema } from 'json-schema-to-ts';
import { LIMITS } from './limits';
import { menuUploadSchema } from './menu-upload';

const { store_id, integration_id, menus, categories, items, modifier_groups } =
  menuUploadSchema.properties;

/** An upload's body, with a list of integrations instead of one; without it (or with null), all that the store is connected to. */
export const menuPreviewSchema = {
  type: 'object',
  required: ['store_id', 'menus', 'categories', 'items', 'modifier_groups'],
  properties: {
    store_id,
    integration_ids: {
      type: ['array', 'null'],
      minItems: 1,
      maxItems: LIMITS.previewIntegrations,
      items: integration_id,
    },
    menus,
    categories,
    items,
    modifier_groups,
  },
} as const;

export type MenuPreview = FromSchema<typeof menuPreviewSchema>;

export const menuPreviewQuerySchema = {
  type: 'object',
  properties: {
    include: {
      type: 'string',
      pattern: '^(shown|payload|changes)(,(shown|payload|changes))*$',
      maxLength: 64,
      'x-refusal': 'invalid',
    },
    check_images: { enum: ['true', 'false'] },
  },
} as const;
