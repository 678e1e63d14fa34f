import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { Shown } from '../../src/delivery-apps/shown';
import type { GroupQuantity, MenuDocument } from '../../src/menus/menu';
import { category, group, item, menu, STORE } from './app-a-menus';

/** A pizza with toppings from G1: at 2.00 and, with another price, at 3.00. */
function pizza(quantity: GroupQuantity, otherPrice = '200', ofPizza?: GroupQuantity): MenuDocument {
  return {
    menus: [menu('M1', ['C1'])],
    categories: [category('C1', [{ item_external_id: 'I1' }])],
    items: [
      {
        ...item('I1', '9900'),
        data_modifier_groups: [
          { modifier_group_external_id: 'G1', ...(ofPizza && { quantity: ofPizza }) },
        ],
      },
      item('I2', '200'),
      item('I3', otherPrice),
    ],
    modifier_groups: [
      { ...group('G1', [{ item_external_id: 'I2' }, { item_external_id: 'I3' }]), quantity },
    ],
  };
}

const THREE = { min_quantity: '2', max_quantity: '3' };
const ONE_FREE = { ...THREE, free_quantity: '1' };
const FREE_AND_PAID = [
  ['G1~free', 1, 1, [0, 0]],
  ['G1', 1, 2, [200, 300]],
];

function sent(app: string, document: MenuDocument) {
  return adapterOf(app).transform({ menu: document, store: STORE });
}

function shownBy(app: string, document: MenuDocument): Shown {
  const { payload } = sent(app, document);
  return adapterOf(app).readShown(JSON.parse(JSON.stringify(payload)), {
    store: STORE,
    sentMenus: document.menus,
  });
}

function groupsOf({ modifier_groups: groups }: Shown) {
  return groups.map(({ external_id: id, min, max, options }) => [
    id,
    min,
    max,
    options.map(({ price }) => Number(price)),
  ]);
}

function codesOf(app: string, document: MenuDocument): readonly string[] {
  return sent(app, document)
    .losses.filter(({ pointer }) => pointer === '/modifier_groups/0')
    .map(({ code }) => code);
}

test('App A charges above a number where every option has one price', () => {
  const { payload } = sent('app-a', pizza(ONE_FREE));
  expect(payload).toMatchObject({
    modifier_groups: [
      {
        id: 'G1',
        quantity_info: {
          quantity: { min_permitted: 2, max_permitted: 3, charge_above: 1, refund_under: 0 },
        },
      },
    ],
  });
  expect(codesOf('app-a', pizza(ONE_FREE))).toEqual([]);
  expect(shownBy('app-a', pizza(ONE_FREE)).items[0]?.modifier_groups).toEqual([
    { external_id: 'G1', min: 2, max: 3, free_quantity: 1 },
  ]);
});

test('App A has free units of one item in its override', () => {
  const { payload } = sent('app-a', pizza(THREE, '200', ONE_FREE));
  expect(payload).toMatchObject({
    modifier_groups: [
      {
        quantity_info: {
          quantity: { min_permitted: 2, max_permitted: 3 },
          overrides: [{ context_value: 'I1', quantity: { charge_above: 1, refund_under: 0 } }],
        },
      },
    ],
  });
});

test('App B has free units on the group of the item, whatever the prices', () => {
  expect(sent('app-b', pizza(ONE_FREE, '300')).payload).toMatchObject({
    items: [{ option_groups: [{ id: 'G1', min: 2, max: 3, free: 1 }] }, {}, {}],
  });
  expect(codesOf('app-b', pizza(ONE_FREE, '300'))).toEqual([]);
  expect(shownBy('app-b', pizza(ONE_FREE)).items[0]?.modifier_groups).toEqual([
    { external_id: 'G1', min: 2, max: 3, free_quantity: 1 },
  ]);
});

test.each(['app-a', 'app-c', 'app-d'])('%s shows two groups, the first of them free', (app) => {
  const document = pizza(ONE_FREE, '300');
  const shown = shownBy(app, document);
  expect(groupsOf(shown)).toEqual(FREE_AND_PAID);
  expect(shown.modifier_groups.map(({ name }) => name)).toEqual(['Group G1', 'Group G1 +']);
  expect(codesOf(app, document)).toEqual(['free_quantity_split']);
});

test.each(['app-c', 'app-d'])('%s shows two groups where all options have one price too', (app) => {
  expect(groupsOf(shownBy(app, pizza(ONE_FREE))).map(([id]) => id)).toEqual(['G1~free', 'G1']);
});

test.each(['app-a', 'app-c', 'app-d'])('%s shows one group of which all units are free', (app) => {
  const document = pizza({ exactly: '2', free_quantity: '2' }, '300');
  expect(groupsOf(shownBy(app, document))).toEqual([['G1~free', 2, 2, [0, 0]]]);
  expect(codesOf(app, document)).toEqual([]);
});

test.each(['app-c', 'app-d'])('%s has the free units of one item in copies for it', (app) => {
  const document = pizza(THREE, '300', ONE_FREE);
  expect(groupsOf(shownBy(app, document)).map(([id]) => id)).toEqual(['G1~I1~free', 'G1~I1']);
  expect(codesOf(app, document)).toEqual(['free_quantity_split', 'group_quantity_cloned']);
});

test('App D has SKUs of their own for options that are free in one part', () => {
  const skus = shownBy('app-d', pizza(ONE_FREE, '300')).modifier_groups.map(({ options }) =>
    options.map(({ external_id: sku }) => sku),
  );
  expect(skus).toEqual([
    ['I2~G1~free', 'I3~G1~free'],
    ['I2', 'I3'],
  ]);
});

test('an item at 0 of which all options are free gives App D nothing to sell', () => {
  const document = pizza({ exactly: '2', free_quantity: '2' });
  const [sold, ...options] = document.items;
  const free = {
    ...document,
    items: [{ ...item('I1', '0'), ...sold, price: { free: true } }, ...options],
  };
  expect(sent('app-d', free).losses.map(({ code }) => code)).toContain('zero_price_refused');
});

test('nothing is said of free units where nothing costs anything', () => {
  const document = pizza(ONE_FREE);
  const free = {
    ...document,
    items: document.items.map((one, at) => (at > 0 ? { ...one, price: { free: true } } : one)),
  };
  for (const app of ['app-c', 'app-d']) {
    expect(groupsOf(shownBy(app, free)).map(([id]) => id)).toEqual(['G1']);
    expect(codesOf(app, free)).toEqual([]);
  }
});

test('a name is cut before what follows it', () => {
  const document = pizza(ONE_FREE);
  const long = {
    ...document,
    modifier_groups: document.modifier_groups.map((one) => ({ ...one, name: 'n'.repeat(120) })),
  };
  expect(shownBy('app-c', long).modifier_groups.map(({ name }) => name)).toEqual([
    'n'.repeat(100),
    `${'n'.repeat(98)} +`,
  ]);
  expect(codesOf('app-c', long)).toContain('text_cut');
});

describe('the simulated App A refuses', () => {
  const { payload } = sent('app-a', pizza(ONE_FREE));
  const text = JSON.stringify(payload);
  test.each([
    ['a charge above what is permitted', text.replace('"charge_above":1', '"charge_above":4')],
    ['a charge without a refund', text.replace(',"refund_under":0', '')],
    ['a refund of what was not there', text.replace('"refund_under":0', '"refund_under":1')],
    ['a charge of options with different prices', text.replace('"price":200', '"price":300')],
  ])('%s', (_, wrong) => {
    expect(firstBrokenRule(payload)).toBeNull();
    expect(firstBrokenRule(JSON.parse(wrong))).toMatch(/^Invalid Quantity: modifier group G1/);
  });
});
