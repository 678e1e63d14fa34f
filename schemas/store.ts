import type { FromSchema } from 'json-schema-to-ts';
import { name } from './fields';
import { LIMITS } from './limits';

const DEGREES_90 = '^-?(90(\\.0{1,15})?|[1-8]?\\d(\\.\\d{1,15})?)$';
const DEGREES_180 = '^-?(180(\\.0{1,15})?|(1[0-7]\\d|[1-9]?\\d)(\\.\\d{1,15})?)$';

/** A coordinate that is there, for the half of the pair that the other one calls for. */
const present = { type: ['string', 'number'], 'x-refusal': 'invalid_format' } as const;

export const storeCreateSchema = {
  type: 'object',
  required: ['name', 'country_code'],
  properties: {
    name,
    country_code: {
      type: 'string',
      minLength: 1,
      format: 'country-code',
      'x-refusal': 'invalid',
    },
    direction: { type: ['string', 'null'], maxLength: LIMITS.description },
    latitude: {
      type: ['string', 'number', 'null'],
      pattern: DEGREES_90,
      minimum: -90,
      maximum: 90,
      'x-refusal': 'invalid_format',
    },
    longitude: {
      type: ['string', 'number', 'null'],
      pattern: DEGREES_180,
      minimum: -180,
      maximum: 180,
      'x-refusal': 'invalid_format',
    },
  },
  // Not `dependentRequired`: a coordinate that is null counts as absent, on either side.
  allOf: [
    {
      if: { required: ['latitude'], properties: { latitude: present } },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword; nobody awaits a schema.
      then: { required: ['longitude'], properties: { longitude: present } },
    },
    {
      if: { required: ['longitude'], properties: { longitude: present } },
      // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own keyword; nobody awaits a schema.
      then: { required: ['latitude'], properties: { latitude: present } },
    },
  ],
} as const;

/** Written out, as the conditions above are about values and not about the type. */
export type StoreCreate = FromSchema<{
  readonly type: 'object';
  readonly required: (typeof storeCreateSchema)['required'];
  readonly properties: (typeof storeCreateSchema)['properties'];
}>;
