import type { FromSchema } from 'json-schema-to-ts';
import { integrationIds } from './availability';
import { storeId } from './fields';
import { LIMITS } from './limits';

/** Top level only, as of an upload: what the elements hold has the rules and sentences of a menu. */
export const menuChangesSchema = {
  type: 'object',
  required: ['store_id'],
  properties: {
    store_id: storeId,
    integration_ids: integrationIds,
    items: { type: ['array', 'null'], maxItems: LIMITS.menuChanges },
    options: { type: ['array', 'null'], maxItems: LIMITS.menuChanges },
  },
} as const;

export type MenuChangesRequest = FromSchema<typeof menuChangesSchema>;

/** A kept menu, and what is to be changed in it: made by the service itself. */
export const changedMenuSchema = {
  type: 'object',
  required: ['changes', 'menu'],
  properties: { changes: { type: 'object' }, menu: { type: 'object' } },
} as const;
