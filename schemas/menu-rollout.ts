import { LIMITS } from './limits';
import { menuUploadSchema } from './menu-upload';

/** Checks only that both ids of a target are present: an unknown target is refused alone, and the others continue. */
const targetId = { type: ['string', 'number'], minLength: 1, maxLength: LIMITS.id } as const;

const { menus, categories, items, modifier_groups } = menuUploadSchema.properties;

/** Top level only, as for an upload; and the ids of each target. */
export const menuRolloutSchema = {
  type: 'object',
  required: ['targets', 'menus', 'categories', 'items', 'modifier_groups'],
  properties: {
    targets: {
      type: 'array',
      minItems: 1,
      maxItems: LIMITS.rolloutTargets,
      items: {
        type: 'object',
        required: ['store_id', 'integration_id'],
        properties: { store_id: targetId, integration_id: targetId },
      },
    },
    parallel: { type: ['integer', 'null'], minimum: 1, maximum: 50 },
    stop_after_failures: { type: ['integer', 'null'], minimum: 0, maximum: LIMITS.rolloutTargets },
    menus,
    categories,
    items,
    modifier_groups,
  },
} as const;
