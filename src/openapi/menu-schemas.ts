import { LIMITS } from '../../schemas/limits';
import { DAYS_OF_WEEK } from '../menus/menu';
import { DETAIL_SCHEMA } from './detail-schemas';
import { type JsonSchema, type ObjectSchema, orNull } from '../contract/answers';

/*
 * The content of a menu's lists, for readers and generators of clients. Requests are not checked by these schemas,
 * because the menu's rules have their own order and messages. A test compares both.
 */

const id = { type: 'string', minLength: 1, maxLength: LIMITS.id };
const name = { type: 'string', minLength: 1, maxLength: LIMITS.name };
const description = { type: ['string', 'null'], maxLength: LIMITS.description };
const time = {
  type: 'string',
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: '`hh:mm`, the clock of the store.',
};
const amount = { type: 'string', pattern: '^(?=.*[1-9])\\d{1,12}$' };
const digits = { type: 'string', pattern: '^\\d{1,12}$' };

const ref = (schema: string): JsonSchema => ({ $ref: `#/components/schemas/${schema}` });
const listOf = (schema: string, limits: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items: ref(schema),
  ...limits,
});
/** An optional object may be null, which counts as absent. */
const optional = (schema: string, text?: string): JsonSchema => ({
  ...orNull(ref(schema)),
  ...(text === undefined ? {} : { description: text }),
});

function entity(
  text: string,
  properties: ObjectSchema['properties'],
  ...required: readonly string[]
): ObjectSchema {
  return { type: 'object', description: text, required, properties };
}

const limits: ObjectSchema['properties'] = {
  min_quantity: { ...digits, type: ['string', 'null'] },
  max_quantity: { ...amount, type: ['string', 'null'], description: 'Above the minimum.' },
  exactly: {
    ...amount,
    type: ['string', 'null'],
    description: 'In place of both: the choice has neither.',
  },
};

export const MENU_SCHEMAS = {
  Menu: entity(
    'A menu as guests see it.',
    {
      identifier: { ...id, description: 'Unique among the menus.' },
      name,
      description,
      category_external_ids: {
        type: 'array',
        items: id,
        minItems: 1,
        maxItems: LIMITS.categoriesOfMenu,
        description: 'Ids of `categories`.',
      },
      schedules: listOf('Schedule', { minItems: 1 }),
    },
    'identifier',
    'name',
    'category_external_ids',
    'schedules',
  ),
  Schedule: entity(
    'The hours of one day of the week. Periods of one day must not overlap; touching is fine.',
    {
      day_of_week: { type: 'string', enum: DAYS_OF_WEEK },
      periods: listOf('Period', { minItems: 1 }),
    },
    'day_of_week',
    'periods',
  ),
  Period: entity(
    'From start to end; start is before end, so that a night is two periods.',
    { start: time, end: time },
    'start',
    'end',
  ),
  Category: entity(
    'A part of a menu.',
    { external_id: id, name, description, data_items: listOf('DataItem') },
    'external_id',
    'name',
    'data_items',
  ),
  DataItem: entity(
    'An item in a category.',
    {
      item_external_id: { ...id, description: 'Id of one of `items`.' },
      price: optional('Price', 'Instead of the item’s own; the first one in a menu counts.'),
    },
    'item_external_id',
  ),
  Item: entity(
    'Something that is sold, alone or as an option.',
    {
      external_id: id,
      name,
      description,
      image_url: {
        type: ['string', 'null'],
        maxLength: LIMITS.url,
        description: 'App A: https, JPEG, PNG or GIF under 10 MB, 320–1144 px wide and high.',
      },
      schedules: {
        ...listOf('Schedule'),
        type: ['array', 'null'],
        description: 'Instead of the menu’s.',
      },
      price: ref('Price'),
      data_modifier_groups: listOf('DataModifierGroup'),
      available: {
        type: ['boolean', 'null'],
        description:
          'False: off sale from its first minute, until a change of availability ends it.',
      },
      unavailable_until: {
        type: ['string', 'null'],
        description:
          'With `available: false`: ISO 8601 with an offset, in the future and within a year.',
      },
      visible_from: {
        type: ['string', 'null'],
        description:
          'The first day on which it is on sale, `yyyy-MM-dd` in the store’s time zone, which it then needs.',
      },
      visible_until: {
        type: ['string', 'null'],
        description: 'The last day on which it is on sale, alike.',
      },
      details: optional('ItemDetails'),
    },
    'external_id',
    'name',
    'price',
    'data_modifier_groups',
  ),
  ItemDetails: DETAIL_SCHEMA,
  Price: entity(
    'Digits with two implied decimals: `"1030"` is 10.30, and 12000 of a currency without decimals is `"1200000"`.',
    {
      value: {
        ...digits,
        type: ['string', 'null'],
        description: 'Above 0; of what is free 0, or absent.',
      },
      promotion_value: {
        ...amount,
        type: ['string', 'null'],
        description: 'Only App C has such prices; what is free has none.',
      },
      free: { type: ['boolean', 'null'], description: 'True: it costs nothing.' },
    },
  ),
  DataModifierGroup: entity(
    'A choice that an item offers.',
    {
      modifier_group_external_id: { ...id, description: 'Id of one of `modifier_groups`.' },
      quantity: optional('GroupQuantity', 'Instead of the group’s own.'),
    },
    'modifier_group_external_id',
  ),
  ModifierGroup: entity(
    'A choice and its options. Groups must not lead back to themselves.',
    {
      external_id: id,
      name,
      quantity: ref('GroupQuantity'),
      data_options: listOf('DataOption', { minItems: 1, maxItems: LIMITS.optionsOfGroup }),
    },
    'external_id',
    'name',
    'quantity',
    'data_options',
  ),
  DataOption: entity(
    'One option of a group.',
    {
      item_external_id: { ...id, description: 'Id of one of `items`.' },
      price: optional('Price', 'Instead of the item’s own.'),
      quantity: optional('Quantity', 'Only App A has these.'),
    },
    'item_external_id',
  ),
  Quantity: entity(
    'How many may be chosen: `exactly`, or a minimum and a maximum, both included. A minimum of `"0"` makes the choice optional.',
    limits,
  ),
  GroupQuantity: entity(
    'How many options of a group may be chosen in all, and how many of them cost nothing.',
    {
      ...limits,
      free_quantity: {
        ...digits,
        type: ['string', 'null'],
        description: 'At most the maximum; each further unit costs its price.',
      },
    },
  ),
  ItemChange: entity(
    'What is to change of one item. What is absent stays; null clears what is optional.',
    {
      external_id: id,
      name,
      description,
      image_url: { type: ['string', 'null'], maxLength: LIMITS.url },
      price: {
        ...ref('Price'),
        description: 'In place of the item’s, its promotion too.',
      },
      prices_by_menu: {
        ...listOf('MenuPriceChange', { maxItems: LIMITS.menus }),
        type: ['array', 'null'],
        description: 'Null: in no menu another price than the item’s.',
      },
      details: optional('ItemDetails', 'Each member in place of the item’s; null clears it.'),
    },
    'external_id',
  ),
  MenuPriceChange: entity(
    'The price of an item in one menu.',
    {
      identifier: { ...id, description: 'Of the menu.' },
      price: optional('Price', 'Null: the item’s own.'),
    },
    'identifier',
    'price',
  ),
  OptionPriceChange: entity(
    'The price of an option in one group.',
    {
      modifier_group_external_id: id,
      item_external_id: id,
      price: optional('Price', 'Null: the item’s own.'),
    },
    'modifier_group_external_id',
    'item_external_id',
    'price',
  ),
} satisfies Readonly<Record<string, ObjectSchema>>;
