import { cursor, limit } from './fields';

/** Query of the changes of a version: `previous`, `live` or the id of an upload. */
export const uploadChangesSchema = {
  type: 'object',
  properties: {
    against: {
      type: 'string',
      maxLength: 64,
      pattern: '^(previous|live|upl_[0-9a-f]{32})$',
      'x-refusal': 'invalid',
    },
    limit,
    cursor,
  },
} as const;
