import { CHANGE_KINDS } from '../menus/changes/compare-lists';
import { DAYS_OF_WEEK } from '../menus/menu';
import { component, count, type JsonSchema, nullableText, orNull, record, text } from './answers';

const nullableCount = { type: ['integer', 'null'], minimum: 0 };
const amount = { type: 'string', description: 'Digits with two implied decimals.' };
const nullableAmount = { type: ['string', 'null'] };
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const hours = listOf(component('ShownHours'));
const limits = { external_id: text, min: count, max: count };

/** A menu in an app, and the difference between two menus. */
export const PREVIEW_SCHEMAS = {
  PreviewResult: record(
    {
      integration_id: text,
      app: { ...nullableText, description: 'Null for an unknown integration.' },
      acceptable: {
        type: 'boolean',
        description: 'Whether an upload of this menu would be sent to the app.',
      },
      messages: {
        ...listOf(text),
        description: 'Why the integration would refuse the menu, with the messages of an upload.',
      },
      losses: listOf(component('Loss')),
      counts: {
        ...orNull(component('ShownCounts')),
        description: 'How much the app would show; null if nothing would be sent.',
      },
      payload_bytes: nullableCount,
    },
    'One integration’s view of a menu.',
    {
      shown: { ...orNull(component('Shown')), description: 'With `include=shown`.' },
      payload: {
        type: ['object', 'null'],
        description: 'With `include=payload`: the app’s own JSON.',
      },
      changes: {
        ...orNull(component('MenuChanges')),
        description: 'With `include=changes`: the first 100.',
      },
    },
  ),
  ShownCounts: record({
    menus: count,
    categories: count,
    items: count,
    modifier_groups: count,
    options: count,
    images: count,
  }),
  Shown: record(
    {
      menus: listOf(
        record({
          identifier: text,
          name: text,
          description: nullableText,
          hours,
          categories: listOf(
            record({
              external_id: text,
              name: text,
              description: nullableText,
              items: listOf(text),
            }),
          ),
        }),
      ),
      items: listOf(component('ShownItem')),
      modifier_groups: listOf(
        record({
          ...limits,
          name: text,
          options: listOf(
            record({
              external_id: text,
              price: amount,
              promotion_price: nullableAmount,
              min: nullableCount,
              max: nullableCount,
            }),
          ),
        }),
      ),
    },
    'What guests see, read back out of what the app is sent, in one form for all apps. Copies have ids of the app’s.',
  ),
  ShownItem: record(
    {
      external_id: text,
      name: text,
      description: nullableText,
      image_url: nullableText,
      price: amount,
      promotion_price: nullableAmount,
      prices_by_menu: listOf(
        record({ identifier: text, price: amount, promotion_price: nullableAmount }),
      ),
      hours: { ...orNull(hours), description: 'Null for an item without hours of its own.' },
      available: { type: 'boolean' },
      modifier_groups: listOf(
        record(limits, undefined, {
          free_quantity: { ...count, description: 'Units that cost nothing; absent without.' },
        }),
      ),
    },
    undefined,
    {
      details: {
        ...component('ItemDetails'),
        description: 'What the app shows of the details; absent without.',
      },
    },
  ),
  ShownHours: record({
    day: { type: 'string', enum: DAYS_OF_WEEK },
    periods: listOf(component('Period')),
  }),
  MenuChanges: record(
    {
      against: {
        ...nullableText,
        description:
          'The upload that is compared with. Null: there was none, so everything counts as added.',
      },
      counts: component('ChangeCounts'),
      changes: listOf(component('MenuChange')),
    },
    'What makes one menu of another, both as they were sent.',
  ),
  ChangeCounts: record({ added: count, removed: count, changed: count }),
  MenuChange: record(
    {
      op: { type: 'string', enum: ['added', 'removed', 'changed'] },
      kind: { type: 'string', enum: CHANGE_KINDS },
      external_id: {
        ...nullableText,
        description: 'Null if the order of one of the menu’s own lists changed.',
      },
    },
    'By POS id, never by position. A list whose order changed is one change with `field` `order`.',
    {
      within: { ...text, description: 'The parent, if a reference to the entity changed.' },
      field: { ...text, description: 'The field that changed, such as `price.value`.' },
      before: { description: 'The old value of the field, or the whole entity if it was removed.' },
      after: { description: 'The new value of the field, or the whole entity if it was added.' },
    },
  ),
} satisfies Readonly<Record<string, JsonSchema>>;
