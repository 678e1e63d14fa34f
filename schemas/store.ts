import type { FromSchema } from 'json-schema-to-ts';
import { name } from './fields';
import { LIMITS } from './limits';

const DEGREES_90 = '^-?(90(\\.0{1,15})?|[1-8]?\\d(\\.\\d{1,15})?)$';
const DEGREES_180 = '^-?(180(\\.0{1,15})?|(1[0-7]\\d|[1-9]?\\d)(\\.\\d{1,15})?)$';

/** Requires a coordinate, for a pair of which the other half is given. */
const present = { type: ['string', 'number'], 'x-refusal': 'invalid_format' } as const;

const COUNTRY_CODE = {
  type: 'string',
  minLength: 1,
  format: 'country-code',
  'x-refusal': 'invalid',
  'x-hint': 'countryCode',
} as const;

const LATITUDE = {
  type: ['string', 'number', 'null'],
  pattern: DEGREES_90,
  minimum: -90,
  maximum: 90,
  'x-refusal': 'invalid_format',
  'x-hint': 'latitude',
} as const;

const LONGITUDE = {
  type: ['string', 'number', 'null'],
  pattern: DEGREES_180,
  minimum: -180,
  maximum: 180,
  'x-refusal': 'invalid_format',
  'x-hint': 'longitude',
} as const;

const DIRECTION = { type: ['string', 'null'], maxLength: LIMITS.description } as const;

const TIME_ZONE = {
  type: ['string', 'null'],
  maxLength: 64,
  format: 'time-zone',
  'x-refusal': 'invalid',
  'x-hint': 'timeZone',
} as const;

/** Both coordinates or neither. Not `dependentRequired`, because null counts as absent on either side. */
const BOTH_COORDINATES = [
  {
    if: { required: ['latitude'], properties: { latitude: present } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword; a schema is never awaited.
    then: { required: ['longitude'], properties: { longitude: present } },
  },
  {
    if: { required: ['longitude'], properties: { longitude: present } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword; a schema is never awaited.
    then: { required: ['latitude'], properties: { latitude: present } },
  },
] as const;

export const storeCreateSchema = {
  type: 'object',
  required: ['name', 'country_code'],
  properties: {
    name,
    country_code: COUNTRY_CODE,
    direction: DIRECTION,
    latitude: LATITUDE,
    longitude: LONGITUDE,
    time_zone: TIME_ZONE,
  },
  allOf: BOTH_COORDINATES,
} as const;

/**
 * Absent fields stay as they are. Null clears the direction, the time zone or both coordinates; the coordinates are only cleared
 * together.
 */
export const storeChangeSchema = {
  type: 'object',
  properties: {
    name,
    country_code: COUNTRY_CODE,
    direction: DIRECTION,
    latitude: LATITUDE,
    longitude: LONGITUDE,
    time_zone: TIME_ZONE,
    availability_from_stock: {
      type: 'string',
      minLength: 1,
      enum: ['off', 'on'],
      'x-refusal': 'invalid',
    },
  },
  allOf: [
    ...BOTH_COORDINATES,
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword; a schema is never awaited.
    { if: { required: ['latitude'] }, then: { required: ['longitude'] } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword; a schema is never awaited.
    { if: { required: ['longitude'] }, then: { required: ['latitude'] } },
  ],
} as const;

/** Written out, because the conditions above concern values, not the type. */
export type StoreCreate = FromSchema<{
  readonly type: 'object';
  readonly required: (typeof storeCreateSchema)['required'];
  readonly properties: (typeof storeCreateSchema)['properties'];
}>;

export type StoreChangeBody = FromSchema<{
  readonly type: 'object';
  readonly properties: (typeof storeChangeSchema)['properties'];
}>;
