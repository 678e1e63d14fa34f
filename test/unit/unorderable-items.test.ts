import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES, type AppName } from '../../src/delivery-apps/types';
import { unorderableItems } from '../../src/delivery-apps/unorderable-items';
import type { DataOption, MenuDocument, ModifierGroup } from '../../src/menus/menu';
import { readFieldMenu } from '../support/field-menu';
import { category, group, item, menu, quantity, STORE, uses } from './app-c-menus';

/** POS ids of what cannot be ordered once a change took `nowOff` off sale, beside what was off before. */
function unorderable(
  app: AppName,
  document: MenuDocument,
  nowOff: readonly string[],
  { before = [], most = 20 }: { before?: readonly string[]; most?: number } = {},
): readonly string[] {
  const adapter = adapterOf(app);
  const { payload, itemIds } = adapter.transform({ menu: document, store: STORE });
  const [ids] = unorderableItems(
    adapter,
    { store: STORE, sentMenus: [] },
    Buffer.from(JSON.stringify(payload)),
    {
      off: [...before, ...nowOff],
      offByChange: [nowOff],
      itemIds: JSON.stringify(Object.fromEntries(itemIds)),
    },
    most,
  );
  return ids ?? [];
}

function menuWith(options: readonly DataOption[], ofGroup: Partial<ModifierGroup>): MenuDocument {
  return {
    menus: [menu('M1', ['C1'])],
    categories: [category('C1', ['I1'])],
    items: [
      item('I1', { data_modifier_groups: [uses('G1')] }),
      ...options.map((option) => item(option.item_external_id)),
    ],
    modifier_groups: [group('G1', [], { data_options: options, ...ofGroup })],
  };
}

const option = (id: string, max?: number): DataOption => ({
  item_external_id: id,
  ...(max !== undefined && { quantity: quantity(0, max) }),
});

describe.each(APP_NAMES)('in %s', (app) => {
  it('two of three sides off sale leave a lunch that demands two without its choice', () => {
    const { menu: lunch } = readFieldMenu('18-options-off-sale-below-minimum');
    expect(unorderable(app, lunch, ['fries'])).toEqual([]);
    expect(unorderable(app, lunch, ['salad'], { before: ['fries'] })).toEqual(['lunch']);
    expect(unorderable(app, lunch, ['fries', 'soup'])).toEqual(['lunch']);
  });

  it('an item that is off sale itself is not named, nor one whose group lost nothing now', () => {
    const { menu: lunch } = readFieldMenu('18-options-off-sale-below-minimum');
    expect(unorderable(app, lunch, ['fries', 'soup', 'lunch'])).toEqual([]);
    expect(unorderable(app, lunch, ['unknown'], { before: ['fries', 'soup'] })).toEqual([]);
  });

  it('a group that is optional, or demands more than it has options, is answered by what is left', () => {
    const optional = menuWith([option('O1'), option('O2')], { quantity: quantity(0, 2) });
    expect(unorderable(app, optional, ['O1', 'O2'])).toEqual([]);
    const repeated = menuWith([option('O1'), option('O2')], { quantity: quantity(3, 4) });
    expect(unorderable(app, repeated, ['O1'])).toEqual([]);
    expect(unorderable(app, repeated, ['O1', 'O2'])).toEqual(['I1']);
  });

  it('a copy of an option counts as the option, and limits count as the item has them', () => {
    const sold: MenuDocument = {
      menus: [menu('M1', ['C1'])],
      categories: [category('C1', ['I1', 'I2', 'I3', 'O1'])],
      items: [
        item('I1', { data_modifier_groups: [{ ...uses('G1'), quantity: quantity(1, 2) }] }),
        item('I2', { data_modifier_groups: [uses('G1')] }),
        item('I3', { data_modifier_groups: [{ ...uses('G1'), quantity: quantity(2, 2) }] }),
        item('O1', { data_modifier_groups: [uses('G2')] }),
        item('O2'),
      ],
      modifier_groups: [group('G1', ['O1', 'O2']), group('G2', ['O2'])],
    };
    expect(unorderable(app, sold, ['O1'])).toEqual(['I3']);
    expect(unorderable(app, sold, ['O1', 'O2'])).toEqual(['I1', 'I3']);
    expect(unorderable(app, sold, ['O1', 'O2'], { most: 1 })).toEqual(['I1']);
  });
});

test.each(['app-a', 'app-d'] as const)('%s counts an option as often as it may be taken', (app) => {
  const twice = menuWith([option('O1', 2), option('O2', 1)], { quantity: quantity(2, 4) });
  expect(unorderable(app, twice, ['O2'])).toEqual([]);
  expect(unorderable(app, twice, ['O1'])).toEqual(['I1']);
});

test('what is only behind a group that an app drops makes nothing unorderable there', () => {
  const { menu: steak } = readFieldMenu('55-required-choice-lost-by-nesting');
  expect(unorderable('app-a', steak, ['ranch', 'bals'])).toEqual(['salad']);
  expect(unorderable('app-c', steak, ['ranch', 'bals'])).toEqual([]);
});
