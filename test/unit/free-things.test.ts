import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES, type TransformInput } from '../../src/delivery-apps/types';
import type { DataOption, Item, MenuDocument, Price, Quantity } from '../../src/menus/menu';
import { category, group, item, menu, STORE } from './app-a-menus';

interface Shop {
  readonly sold: Item;
  readonly dataPrice?: string;
  readonly options?: readonly DataOption[];
  readonly others?: readonly Item[];
  /** The group of an option. */
  readonly nested?: readonly DataOption[];
}

/** I1 in C1, with the options of G1. */
function shop({ sold, dataPrice, options = [], others = [], nested = [] }: Shop): MenuDocument {
  const price = dataPrice === undefined ? {} : { price: { value: dataPrice } };
  return {
    menus: [{ ...menu('M1', ['C1']) }],
    categories: [category('C1', [{ item_external_id: 'I1', ...price }])],
    items: [sold, ...others],
    modifier_groups: [
      ...(options.length > 0 ? [group('G1', options)] : []),
      ...(nested.length > 0 ? [group('G2', nested)] : []),
    ],
  };
}

function codesIn(app: string, document: MenuDocument, settings: Partial<TransformInput> = {}) {
  const { losses } = adapterOf(app).transform({ menu: document, store: STORE, ...settings });
  return losses
    .filter(({ code }) => code === 'sold_for_nothing' || code === 'zero_price_refused')
    .map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`);
}

const GIVEN: Readonly<Record<string, Shop>> = {
  'its mark': { sold: { ...item('I1', '0'), price: { free: true } } },
  'its own price': { sold: item('I1', '0') },
  'as many zeros as digits': { sold: item('I1', '000000000000') },
  'the price of its category': { sold: item('I1', '1000'), dataPrice: '0' },
  'with an option that is free too': {
    sold: item('I1', '0', ['G1']),
    others: [item('I2', '0')],
    options: [{ item_external_id: 'I2' }],
  },
  'with an option that is free in its group alone': {
    sold: item('I1', '0', ['G1']),
    others: [item('I2', '500')],
    options: [{ item_external_id: 'I2', price: { value: '0' } }],
  },
};
const SOLD: Readonly<Record<string, Shop>> = {
  'whose category has a price': { sold: item('I1', '0'), dataPrice: '500' },
  'with an option that costs something': {
    sold: item('I1', '0', ['G1']),
    others: [item('I2', '0'), item('I3', '500')],
    options: [{ item_external_id: 'I2' }, { item_external_id: 'I3' }],
  },
  'with an option that costs something in its group alone': {
    sold: item('I1', '0', ['G1']),
    others: [item('I2', '0')],
    options: [{ item_external_id: 'I2', price: { value: '500' } }],
  },
};

describe.each(Object.entries(GIVEN))('an item at 0: %s', (_, given) => {
  test('is sold for nothing in A, B and C, which say so; D refuses it', () => {
    for (const app of ['app-a', 'app-b', 'app-c']) {
      expect(codesIn(app, shop(given))).toEqual(['warn sold_for_nothing /items/0']);
    }
    expect(codesIn('app-d', shop(given))).toEqual(['block zero_price_refused /items/0']);
  });
});

test.each(Object.entries(SOLD))('an item at 0 is sold in all apps: %s', (_, sold) => {
  for (const app of APP_NAMES) expect(codesIn(app, shop(sold))).toEqual([]);
});

test('an item at 0 with what costs something below an option is paid for where an app shows that', () => {
  const deep = shop({
    sold: item('I1', '0', ['G1']),
    others: [item('I2', '0', ['G2']), item('I3', '500')],
    options: [{ item_external_id: 'I2' }],
    nested: [{ item_external_id: 'I3' }],
  });
  expect(codesIn('app-a', deep)).toEqual([]);
  expect(codesIn('app-b', deep)).toEqual([]);
  expect(codesIn('app-c', deep, { levels: 2 })).toEqual([]);
  expect(codesIn('app-c', deep)).toEqual(['warn sold_for_nothing /items/0']);
  expect(codesIn('app-d', deep)).toEqual(['block zero_price_refused /items/0']);
});

test('an option at 0 alone, and an item at 0 that no menu sells, are nothing to tell', () => {
  const free = shop({
    sold: item('I1', '1000', ['G1']),
    others: [item('I2', '0'), item('I3', '0')],
    options: [{ item_external_id: 'I2' }],
  });
  for (const app of APP_NAMES) expect(codesIn(app, free)).toEqual([]);
});

test('of several menus, one that sells an item at 0 is enough', () => {
  const document = {
    ...shop({ sold: item('I1', '0') }),
    menus: [menu('M1', ['C1']), menu('M2', ['C2'])],
    categories: [
      category('C1', [{ item_external_id: 'I1', price: { value: '100' } }]),
      category('C2', []),
    ],
  };
  expect(codesIn('app-a', document)).toEqual([]);
  const second = [document.categories[0], category('C2', [{ item_external_id: 'I1' }])];
  const both = { ...document, categories: second.flatMap((one) => one ?? []) };
  expect(codesIn('app-a', both)).toEqual(['warn sold_for_nothing /items/0']);
});

test('what is free is sent like what costs 0, and exactly so many like two bounds that are equal', () => {
  const limits = { min_quantity: '2', max_quantity: '2' };
  const older = shop({
    sold: item('I1', '0', ['G1']),
    others: [item('I2', '200'), item('I3', '500')],
    options: [{ item_external_id: 'I2', price: { value: '0' } }, { item_external_id: 'I3' }],
  });
  const spelled = (price: Price, quantity: Quantity): MenuDocument => ({
    ...older,
    items: older.items.map((one, at) => (at === 0 ? { ...one, price } : one)),
    modifier_groups: older.modifier_groups.map((one) => ({
      ...one,
      quantity,
      data_options: one.data_options.map((option) =>
        option.price ? { ...option, price } : option,
      ),
    })),
  });
  for (const app of APP_NAMES) {
    const sent = (document: MenuDocument) =>
      adapterOf(app).transform({ menu: document, store: STORE }).payload;
    expect(sent(spelled({ free: true }, { exactly: '2' }))).toEqual(
      sent(spelled({ value: '0' }, limits)),
    );
  }
});

/** What each app is sent for an item at 0 with an option at 0 and one at 5.00. */
test('a price of 0 is written as one, and never left out', () => {
  const document = shop({
    sold: { ...item('I1', '0', ['G1']), price: { value: '0', promotion_value: '100' } },
    others: [item('I2', '200'), item('I3', '500')],
    options: [{ item_external_id: 'I2', price: { value: '0' } }, { item_external_id: 'I3' }],
  });
  const payloadOf = (app: string) =>
    adapterOf(app).transform({ menu: document, store: STORE }).payload;
  expect(payloadOf('app-a')).toMatchObject({
    items: [
      { price_info: { price: 0 } },
      {
        price_info: {
          price: 200,
          overrides: [{ context_type: 'MODIFIER_GROUP', context_value: 'G1', price: 0 }],
        },
      },
      {},
    ],
  });
  expect(payloadOf('app-b')).toMatchObject({
    items: [{ price: '0.00' }, {}, {}],
    option_groups: [{ options: [{ item_id: 'I2', price: '0.00' }, { item_id: 'I3' }] }],
  });
  const inC = payloadOf('app-c');
  expect(inC).toMatchObject({
    items: [{ price: 0 }, {}, {}],
    modifier_groups: [{ app_mg_items: [{ price: 0 }, { price: 500 }] }],
  });
  expect(JSON.stringify(inC)).not.toContain('activity_price');
  expect(payloadOf('app-d')).toMatchObject({
    items: [
      {
        price: 0,
        children: [
          { sku: 'I2', price: 0 },
          { sku: 'I3', price: 5 },
        ],
      },
    ],
  });
});
