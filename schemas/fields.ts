import { LIMITS } from './limits';

/*
 * Fields that several bodies and queries share. A value that is there but not right gets the sentence of the
 * keyword it fails; `x-refusal` names the code of another sentence where that one fits better.
 */

/** Ids of our own making that are shown to callers as they were made. */
export const inventorySystemId = { type: 'string', minLength: 1, maxLength: LIMITS.id } as const;

/** Store and POS ids are whole numbers, sent as they are or as digits; `" 1"` and `1.5` name no store. */
const WHOLE_NUMBER_ID = {
  type: ['string', 'number'],
  minLength: 1,
  pattern: '^\\d{1,12}$',
  minimum: 0,
  maximum: 999_999_999_999,
  multipleOf: 1,
  'x-refusal': 'invalid',
} as const;

export const storeId = WHOLE_NUMBER_ID;
export const posId = WHOLE_NUMBER_ID;

/** The id of something in somebody else's system: any text. */
export const externalId = { type: 'string', minLength: 1, maxLength: LIMITS.id } as const;

/** A name with at least one visible character: blanks alone are no name. */
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
export const webhookType = ONE_OR_TWO;
/** 1 add, 2 remove. */
export const movementType = ONE_OR_TWO;

/** A decimal as text: a float would already have lost what it could not hold. */
export const stockQuantity = {
  type: 'string',
  minLength: 1,
  pattern: '^-?\\d{1,12}(\\.\\d{1,6})?$',
} as const;

/** ISO 8601, a date or a date-time; passed on as it came. */
export const movementDate = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  format: 'iso-date',
} as const;

/** Page size of a list, 1–100. */
export const limit = {
  type: 'string',
  'x-public': { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  allOf: [
    { pattern: '^\\d{1,12}$', 'x-refusal': 'not_number' },
    { pattern: '^([1-9]\\d?|100)$', 'x-refusal': 'invalid' },
  ],
} as const;

/** `next_cursor` of the page before; opaque to callers. */
export const cursor = {
  type: 'string',
  maxLength: 512,
  pattern: '^[\\w-]+$',
  'x-refusal': 'invalid',
} as const;
