import { LIMITS } from '../../schemas/limits';
import type { JsonSchema, ObjectSchema } from '../contract/answers';
import { ALLERGENS, DIETS } from '../menus/details';

/** Null is absent, here as everywhere in a menu. */
const orNull = (type: string, rest: JsonSchema = {}): JsonSchema => ({
  ...rest,
  type: [type, 'null'],
});
const digits = (description: string): JsonSchema => ({
  type: 'string',
  pattern: '^\\d{1,12}$',
  description,
});
const words = (known: readonly string[]): JsonSchema =>
  orNull('array', { items: { type: 'string', enum: known }, uniqueItems: true });

function member(
  properties: ObjectSchema['properties'],
  ...required: readonly string[]
): JsonSchema {
  return orNull('object', { properties, required });
}

/** The details of an item: as in `menu-schemas.ts`, no request is checked by it. */
export const DETAIL_SCHEMA: ObjectSchema = {
  type: 'object',
  description:
    'What is known of an item beside its name, price and choices. A loss `detail_ignored` names what an app does not show.',
  required: [],
  properties: {
    tax: member(
      {
        rate: digits('Hundredths of a percent, to 10000: 16 % is `"1600"`.'),
        included: orNull('boolean', { description: 'In the price; if absent, it is.' }),
        excise_rate: orNull('string', digits('Hundredths of a percent, to 20000.')),
      },
      'rate',
    ),
    tax_labels: orNull('array', {
      items: { type: 'string', pattern: '^[A-Z0-9_]{1,64}$' },
      minItems: 1,
      maxItems: 5,
      uniqueItems: true,
    }),
    alcohol: member(
      {
        units: digits('To 99; `"0"` states that there is none.'),
        by_volume: orNull('string', digits('Hundredths of a percent, to 10000: 5 % is `"500"`.')),
      },
      'units',
    ),
    serves_alone: orNull('boolean', {
      description: 'Counts as a meal where alcohol needs one.',
    }),
    allergens: words(ALLERGENS),
    diets: words(DIETS),
    calories: member({
      from: orNull('string', digits('To 99999.')),
      to: orNull('string', digits('To 99999, and not below `from`.')),
    }),
    barcode: orNull('string', {
      pattern: '^(\\d{8}|\\d{12,14})?$',
      description: 'A GTIN; its check digit must be right.',
    }),
    bundled_items: orNull('array', {
      minItems: 1,
      maxItems: 20,
      items: {
        type: 'object',
        required: ['item_external_id', 'quantity'],
        properties: {
          item_external_id: {
            type: 'string',
            minLength: 1,
            maxLength: LIMITS.id,
            description: 'Id of one of `items`.',
          },
          quantity: digits('1 to 99.'),
        },
      },
    }),
    deposit: member({ value: digits('Above 0, as in a price.') }, 'value'),
  },
};
