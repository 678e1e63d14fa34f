import { ref } from './answer-schemas';
import type { FieldRefusal, Refusal, Success } from './answers';

/* Answers that several endpoints share. */

/** The thing was deleted; repeating the request is a 404. */
export const DELETED: Success = {
  status: 200,
  schema: ref('Done'),
  examples: { deleted: { message: 'Success.', data: null } },
};

/** A store in the path. */
export const STORE_MISSING: Refusal = { status: 404, sentences: ['The store was not found.'] };
export const STORE_FOREIGN: Refusal = {
  status: 409,
  sentences: ["You don't have this store available."],
};

/** A system in the path that is unknown or belongs to another user. */
export const SYSTEM_MISSING: Refusal = {
  status: 404,
  when: 'It is unknown, or it belongs to another user.',
  sentences: ['The inventory system was not found.'],
};

/** Possible errors in the paging of a list. */
export const PAGE_FIELDS = {
  limit: ['The limit must be a number.', 'The selected limit is invalid.'],
  cursor: ['The selected cursor is invalid.'],
};
/** Possible errors in what is searched for. */
export const QUERY_FIELDS = {
  q: [
    'The q field is required.',
    'The q format is invalid.',
    'The q may not be greater than 255 characters.',
  ],
};

/** Possible errors in the times of a list. */
export const TIME_FIELDS = {
  since: ['The since format is invalid.'],
  until: ['The until format is invalid.'],
};
export const PAGE_REFUSALS: FieldRefusal = { status: 422, fields: PAGE_FIELDS };

/** The fields of a stock movement. */
export const MOVEMENT_REFUSALS = {
  external_id: ['The external id field is required.'],
  current_stock: ['The current stock field is required.', 'The current stock format is invalid.'],
  quantity: ['The quantity field is required.', 'The quantity format is invalid.'],
  date: ['The date field is required.', 'The date format is invalid.'],
  movement_type: ['The movement type field is required.', 'The selected movement type is invalid.'],
};

/** No memory for the body or its answer. */
export const BUSY: Refusal = {
  status: 503,
  when: 'The process has reached its limit of request bodies, or of requests at work.',
  sentences: ['The service is busy.'],
  headers: ['Retry-After'],
};
