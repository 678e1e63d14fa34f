import { prepareMenu } from '../../src/delivery-apps/prepare-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES, type Loss } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { put, type Change } from '../../src/menus/rules/rule';
import { readFieldMenu } from '../support/field-menu';

const STORE = { appStoreId: 'shop', currencyExponent: 2, locale: 'es_mx' } as const;

function lossesOf(menu: unknown, besides: readonly string[] = [], app = 'app-b'): readonly Loss[] {
  const input = { menu: menu as MenuDocument, store: STORE, besides };
  return prepareMenu(adapterOf(app), input).losses.filter(({ code }) => code === 'unknown_field');
}

function fieldsAfter(...changes: Change[]): string[] {
  return lossesOf(applyChanges(EXAMPLE_MENU, changes)).map(({ message }) =>
    message.replace('The field is not part of a menu and was ignored: ', ''),
  );
}

test.each(APP_NAMES)('%s: what the menu form does not know is said, once for each key', (app) => {
  const { menu } = readFieldMenu('43-unknown-fields-alcohol-tax-calories');
  const losses = lossesOf(menu, [], app);
  expect(losses[0]).toEqual({
    code: 'unknown_field',
    severity: 'warn',
    pointer: '/items/0',
    external_id: 'b',
    message: 'The field is not part of a menu and was ignored: items.is_alcohol (once)',
  });
  const keys = losses.map(({ message }) => /items\.\w+/.exec(message)?.[0]);
  expect(keys).toEqual([
    'items.is_alcohol',
    'items.tax_rate',
    'items.calories',
    'items.allergens',
    'items.suspend_until',
    'items.pickup_price',
    'items.descripton',
    'items.image',
    'items.promotion_value',
  ]);
});

test('the loss is about the first entity with the field, and says how often it was sent', () => {
  const items = EXAMPLE_MENU.items.map((item) => ({ ...item, calories: 7 }));
  expect(lossesOf({ ...EXAMPLE_MENU, items })).toMatchObject([
    {
      pointer: '/items/0',
      external_id: 'I1',
      message: 'The field is not part of a menu and was ignored: items.calories (2 times)',
    },
  ]);
});

test('fields of inner objects are told apart by their place', () => {
  const fields = fieldsAfter(
    put('/menus/0/currency', 'MXN'),
    put('/menus/0/schedules/0/timezone', 'UTC'),
    put('/menus/0/schedules/0/periods/0/label', 'lunch'),
    put('/categories/0/data_items/0/price/currency', 'MXN'),
    put('/items/0/price/currency', 'MXN'),
    put('/items/0/data_modifier_groups/0/quantity/default', '1'),
    put('/modifier_groups/0/quantity/free', '1'),
    put('/modifier_groups/0/data_options/0/sku', '7'),
  );
  expect(fields.toSorted()).toEqual([
    'categories.data_items.price.currency (once)',
    'items.data_modifier_groups.quantity.default (once)',
    'items.price.currency (once)',
    'menus.currency (once)',
    'menus.schedules.periods.label (once)',
    'menus.schedules.timezone (once)',
    'modifier_groups.data_options.sku (once)',
    'modifier_groups.quantity.free (once)',
  ]);
});

test('fields beside the menu have no prefix, no pointer and no id', () => {
  const own =
    '{"store_id":1,"integration_id":2,"callback_url":"https://pos.example","x_trace":1,"no":null}';
  expect(lossesOf(EXAMPLE_MENU, [own, '{"brand":"A"}'])).toEqual(
    ['callback_url', 'brand'].map((key) => ({
      code: 'unknown_field',
      severity: 'warn',
      pointer: '',
      external_id: null,
      message: `The field is not part of a menu and was ignored: ${key} (once)`,
    })),
  );
});

test.each<[string, Change[]]>([
  ['keys of the caller’s own', [put('/items/0/x_pos', { id: 7 })]],
  ['null', [put('/items/0/calories', null)]],
  [
    'what only an unused item has',
    [put('/items/-', { ...EXAMPLE_MENU.items[1], external_id: 'I3', calories: 7 })],
  ],
])('not reported: %s', (_, changes) => {
  expect(fieldsAfter(...changes)).toEqual([]);
});

test('an unknown object is one field, whatever is in it', () => {
  expect(fieldsAfter(put('/items/0/nutrition', { kcal: 7, fat: { g: 1 } }))).toEqual([
    'items.nutrition (once)',
  ]);
});

test('a key is quoted on one line and cut', () => {
  const [message = ''] = fieldsAfter(put(`/items/0/a\u202e\n${'k'.repeat(1_000)}`, 1));
  expect(message).toMatch(/^items\.a\\u202e\\u000ak+ \(once\)$/);
  expect(message.length).toBeLessThan(300);
});

test('half a million different keys are counted, and a thousand are listed', () => {
  const keys = Object.fromEntries(Array.from({ length: 400_000 }, (_, n) => [`k${n}`, 1]));
  const menu = {
    ...EXAMPLE_MENU,
    items: [{ ...EXAMPLE_MENU.items[0], ...keys }, EXAMPLE_MENU.items[1]],
  };
  const prepared = prepareMenu(adapterOf('app-a'), { menu: menu as MenuDocument, store: STORE });
  expect(prepared.lossCounts.warn).toBeGreaterThanOrEqual(400_000);
  expect(prepared.losses).toHaveLength(1_001);
});
