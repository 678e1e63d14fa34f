import { adapterOf } from '../../src/delivery-apps/registry';
import type { AppName } from '../../src/delivery-apps/types';
import type { DataOption, Quantity } from '../../src/menus/menu';
import { readFieldMenu, transformFieldMenu } from '../support/field-menu';
import { category, group, item, menu, quantity, STORE, uses } from './app-c-menus';

const IMPOSSIBLE =
  'warn choice_impossible: The modifier group can not be answered, so its items can not be ordered: sides';

test.each([
  ['app-a', [IMPOSSIBLE]],
  ['app-b', []],
  ['app-c', []],
  ['app-d', [IMPOSSIBLE]],
] as const)('%s says that two of one cannot be chosen, if it knows', (app, expected) => {
  const { said } = transformFieldMenu(app, readFieldMenu('35-min-above-number-of-options'));
  expect(said.filter((one) => one.includes('choice_impossible'))).toEqual(expected);
});

/** A sold item with a group of these options. */
function menuWith(limits: Quantity, options: readonly (Quantity | null)[], ofItem?: Quantity) {
  const ids = options.map((_, n) => `O${n}`);
  return {
    menus: [menu('M1', ['C1'])],
    categories: [category('C1', ['I1'])],
    items: [
      item('I1', {
        data_modifier_groups: [{ ...uses('G1'), ...(ofItem && { quantity: ofItem }) }],
      }),
      ...ids.map((id) => item(id)),
    ],
    modifier_groups: [
      group('G1', [], {
        quantity: limits,
        data_options: options.map((own, n): DataOption => ({
          item_external_id: `O${n}`,
          ...(own && { quantity: own }),
        })),
      }),
    ],
  };
}

describe.each(['app-a', 'app-d'] as const)('a choice in %s', (app) => {
  it.each([
    ['one option without a maximum of its own', quantity(2, 2), [null], undefined, false],
    [
      'options with as much as is demanded',
      quantity(3, 4),
      [quantity(0, 2), quantity(0, 1)],
      undefined,
      false,
    ],
    ['options with one less', quantity(3, 4), [quantity(0, 1), quantity(0, 1)], undefined, true],
    [
      'an option without a maximum beside others',
      quantity(3, 4),
      [quantity(0, 1), null],
      undefined,
      false,
    ],
    ['more demanded by the item', quantity(0, 1), [quantity(0, 1)], quantity(2, 3), true],
    ['less demanded by the item', quantity(2, 3), [quantity(0, 1)], quantity(1, 1), false],
  ])('of %s', (_, limits, options, ofItem, isImpossible) => {
    const { losses } = adapterOf(app).transform({
      menu: menuWith(limits, options, ofItem),
      store: STORE,
    });
    expect(losses.filter(({ code }) => code === 'choice_impossible')).toMatchObject(
      isImpossible ? [{ pointer: '/modifier_groups/0', external_id: 'G1', severity: 'warn' }] : [],
    );
  });

  it('counts of repeated options and groups the first', () => {
    const once = menuWith(quantity(2, 2), [quantity(0, 1)]);
    const [first] = once.modifier_groups;
    if (!first) throw new Error('There is no group.');
    const repeated = { ...first, data_options: [...first.data_options, ...first.data_options] };
    const { losses } = adapterOf(app).transform({
      menu: { ...once, modifier_groups: [repeated] },
      store: STORE,
    });
    expect(losses.map(({ code }) => code)).toContain('choice_impossible');
  });
});

test('a choice that App D does not ask for is not impossible there', () => {
  const one = menuWith(quantity(0, 1), [null]);
  const lists = {
    ...one,
    items: [
      ...one.items.slice(0, 1),
      item('O0', { data_modifier_groups: [{ ...uses('G2'), quantity: quantity(2, 2) }] }),
      item('O1'),
    ],
    modifier_groups: [
      ...one.modifier_groups,
      group('G2', [], { data_options: [{ item_external_id: 'O1', quantity: quantity(0, 1) }] }),
    ],
  };
  const codes = (app: AppName) =>
    adapterOf(app)
      .transform({ menu: lists, store: STORE })
      .losses.map(({ code }) => code);
  expect(codes('app-a')).toEqual(['choice_impossible']);
  expect(codes('app-d')).not.toContain('choice_impossible');
});
