import * as fc from 'fast-check';
import type { MenuDocument } from '../../src/menus/menu';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { changeLine } from '../../src/menus/changes/change-lines';
import { changesBetween, countChanges } from '../../src/menus/changes/menu-changes';
import { applyMenuChanges } from '../support/apply-menu-changes';
import { inKnownOrder } from '../support/known-order';
import { menuArbitrary, menuPairArbitrary } from '../support/menus';

const MENU: MenuDocument = {
  menus: [
    {
      identifier: 'M1',
      name: 'Main',
      category_external_ids: ['C1', 'C2'],
      schedules: [{ day_of_week: 'monday', periods: [{ start: '09:00', end: '15:00' }] }],
    },
  ],
  categories: [
    { external_id: 'C1', name: 'Pizza', data_items: [{ item_external_id: 'I1' }] },
    { external_id: 'C2', name: 'Drinks', data_items: [] },
  ],
  items: [
    {
      external_id: 'I1',
      name: 'Margherita',
      price: { value: '1030' },
      data_modifier_groups: [{ modifier_group_external_id: 'G1' }],
    },
    { external_id: 'I2', name: 'Cheese', price: { value: '150' }, data_modifier_groups: [] },
  ],
  modifier_groups: [
    {
      external_id: 'G1',
      name: 'Extras',
      quantity: { min_quantity: '0', max_quantity: '2' },
      data_options: [{ item_external_id: 'I2', price: { value: '120' } }],
    },
  ],
};

/** The same menu with other values at these pointers. */
function edited(values: Readonly<Record<string, unknown>>, menu = MENU): MenuDocument {
  const changes = Object.entries(values).map(
    ([path, value]) => ({ op: 'put', path, value }) as const,
  );
  return applyChanges(menu, changes) as MenuDocument;
}

describe('the changes between two menus', () => {
  it('turn the first into the second, whatever the two menus are', () => {
    fc.assert(
      fc.property(fc.oneof(menuPairArbitrary, fc.tuple(menuArbitrary, menuArbitrary)), (pair) => {
        const [before, after] = pair;
        const made = applyMenuChanges(before, changesBetween(before, after));
        expect(inKnownOrder(made, before)).toEqual(inKnownOrder(after, before));
      }),
      { numRuns: 500 },
    );
  });

  it('are empty between a menu and itself, whatever the order of its fields', () => {
    fc.assert(
      fc.property(menuArbitrary, (menu) => {
        expect(changesBetween(menu, reversedFields(menu) as MenuDocument)).toEqual([]);
      }),
    );
  });

  it('name a field by its path in the upload, and a reference by its parent', () => {
    const after = edited({
      '/items/0/price/value': '1130',
      '/categories/0/data_items/0/price': { value: '1200', promotion_value: '1100' },
      '/modifier_groups/0/quantity/max_quantity': '3',
      '/modifier_groups/0/data_options/0/price': null,
    });
    expect(changesBetween(MENU, after)).toEqual([
      {
        op: 'changed',
        kind: 'item',
        external_id: 'I1',
        field: 'price.value',
        before: '1030',
        after: '1130',
      },
      {
        op: 'changed',
        kind: 'item',
        external_id: 'I1',
        within: 'C1',
        field: 'price.value',
        before: null,
        after: '1200',
      },
      {
        op: 'changed',
        kind: 'item',
        external_id: 'I1',
        within: 'C1',
        field: 'price.promotion_value',
        before: null,
        after: '1100',
      },
      {
        op: 'changed',
        kind: 'modifier_group',
        external_id: 'G1',
        field: 'quantity.max_quantity',
        before: '2',
        after: '3',
      },
      {
        op: 'changed',
        kind: 'option',
        external_id: 'I2',
        within: 'G1',
        field: 'price.value',
        before: '120',
        after: null,
      },
    ]);
  });

  it('have added or removed elements as a whole, without a change for each part', () => {
    const after = edited({
      '/categories/1/external_id': 'C3',
      '/menus/0/category_external_ids': ['C1', 'C3'],
    });
    const [, old] = MENU.categories;
    const changes = changesBetween(MENU, after);
    expect(changes).toEqual([
      { op: 'added', kind: 'category', external_id: 'C3', after: after.categories[1] },
      { op: 'added', kind: 'category', external_id: 'C3', within: 'M1', after: 'C3' },
      { op: 'removed', kind: 'category', external_id: 'C2', before: old },
      { op: 'removed', kind: 'category', external_id: 'C2', within: 'M1', before: 'C2' },
    ]);
    expect(countChanges(changes)).toEqual({ added: 2, removed: 2, changed: 0 });
  });

  it('report a new order as one change of the list, but not because of an insertion', () => {
    const swapped = edited({ '/menus/0/category_external_ids': ['C2', 'C1'] });
    expect(changesBetween(MENU, swapped)).toEqual([
      {
        op: 'changed',
        kind: 'menu',
        external_id: 'M1',
        field: 'order',
        before: ['C1', 'C2'],
        after: ['C2', 'C1'],
      },
    ]);
    const [first, second] = MENU.items;
    const between = edited({ '/items': [first, { ...first, external_id: 'I3' }, second] });
    expect(changesBetween(MENU, between).map(({ op, field }) => [op, field])).toEqual([
      ['added', undefined],
    ]);
    const listed = edited({ '/items': [second, first] });
    expect(changesBetween(MENU, listed)).toEqual([
      {
        op: 'changed',
        kind: 'item',
        external_id: null,
        field: 'order',
        before: ['I1', 'I2'],
        after: ['I2', 'I1'],
      },
    ]);
  });

  it('treat an absent text, null and an empty text alike', () => {
    const after = edited({
      '/items/0/description': '',
      '/items/0/schedules': [],
      '/menus/0/description': null,
    });
    expect(changesBetween(MENU, after)).toEqual([]);
  });

  it('add everything where there was no menu, kind by kind and by POS id', () => {
    const changes = changesBetween(null, MENU);
    expect(changes.map(({ op, kind, external_id: id }) => `${op} ${kind} ${id}`)).toEqual([
      'added menu M1',
      'added category C1',
      'added category C2',
      'added item I1',
      'added item I2',
      'added modifier_group G1',
    ]);
  });

  it('replace a repeated reference as a whole, because its repeats cannot be named', () => {
    const twice = edited({
      '/modifier_groups/0/data_options/-': { item_external_id: 'I2', price: { value: '130' } },
    });
    const dearer = edited({ '/modifier_groups/0/data_options/1/price/value': '140' }, twice);
    const changes = changesBetween(twice, dearer);
    expect(countChanges(changes)).toEqual({ added: 2, removed: 2, changed: 0 });
    expect(applyMenuChanges(twice, changes)).toEqual(dearer);
  });
});

test('a line cuts a long value between two characters, not within one', () => {
  const [change] = changesBetween(MENU, edited({ '/menus/0/name': '🍔'.repeat(255) }));
  if (!change) throw new Error('there is no change');
  expect(changeLine(change)).toBe(`changed menu M1: name "Main" -> "${'🍔'.repeat(199)}…`);
});

function reversedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, member]) => [name, reversedFields(member)]);
  return Object.fromEntries(fields.toReversed());
}
