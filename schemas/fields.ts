import { LIMITS } from './limits';

/*
 * Fields that several bodies and queries share. A wrong value gets the message of the keyword that it fails;
 * `x-refusal` names a code with a better message, and `x-hint` what problem+json says to write instead.
 */

/** Ids of our own making, shown to callers unchanged. */
export const inventorySystemId = { type: 'string', minLength: 1, maxLength: LIMITS.id } as const;

/** Store and POS ids are whole numbers, sent as numbers or digits; `" 1"` and `1.5` are not ids. */
const WHOLE_NUMBER_ID = {
  type: ['string', 'number'],
  minLength: 1,
  pattern: '^\\d{1,12}$',
  minimum: 0,
  maximum: 999_999_999_999,
  multipleOf: 1,
  'x-refusal': 'invalid',
  'x-hint': 'wholeNumberId',
} as const;

export const storeId = WHOLE_NUMBER_ID;
export const posId = WHOLE_NUMBER_ID;

/** An id from another system: any text. */
export const externalId = { type: 'string', minLength: 1, maxLength: LIMITS.id } as const;

/** A name with at least one visible character; blanks alone are not enough. */
export const name = {
  type: 'string',
  minLength: 1,
  maxLength: LIMITS.name,
  allOf: [{ pattern: '\\S', 'x-refusal': 'required' }],
} as const;

const ONE_OR_TWO = {
  type: ['string', 'number'],
  minLength: 1,
  enum: [1, 2, '1', '2'],
  'x-refusal': 'invalid',
} as const;

/** 1 POS item data, 2 POS stock updates. */
export const webhookType = { ...ONE_OR_TWO, 'x-hint': 'webhookType' } as const;
/** 1 add, 2 remove. */
export const movementType = { ...ONE_OR_TWO, 'x-hint': 'movementType' } as const;

/** A decimal as text, because a float would lose digits. */
export const stockQuantity = {
  type: 'string',
  minLength: 1,
  pattern: '^-?\\d{1,12}(\\.\\d{1,6})?$',
  'x-hint': 'decimal',
} as const;

/** ISO 8601, a date or a date-time; passed on unchanged. */
export const movementDate = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  format: 'iso-date',
  'x-hint': 'date',
} as const;

/** Page size of a list, 1–100. */
export const limit = {
  type: 'string',
  'x-public': { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  allOf: [
    { pattern: '^\\d{1,12}$', 'x-refusal': 'not_number', 'x-hint': 'pageSize' },
    { pattern: '^([1-9]\\d?|100)$', 'x-refusal': 'invalid', 'x-hint': 'pageSize' },
  ],
} as const;

/** A bound of time of a list, with its offset. */
export const moment = {
  type: 'string',
  format: 'instant',
  'x-refusal': 'invalid_format',
  'x-hint': 'moment',
} as const;

/** `next_cursor` of the previous page; opaque to callers. */
export const cursor = {
  type: 'string',
  maxLength: 512,
  pattern: '^[\\w-]+$',
  'x-refusal': 'invalid',
} as const;
