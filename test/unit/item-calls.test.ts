import { adapterOf } from '../../src/delivery-apps/registry';
import type { ShippedAppName } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { changedRichMenu, richMenu } from '../wrong-adapters/rich-menu';

function plan(
  app: ShippedAppName,
  before: MenuDocument,
  after: MenuDocument,
  currencyExponent: 0 | 2 = 2,
) {
  const adapter = adapterOf(app);
  const store = { appStoreId: 'store', currencyExponent, locale: 'es_mx' } as const;
  const [shown, wanted] = [before, after].map((menu) => adapter.transform({ menu, store }).payload);
  return adapter.itemCalls?.plan(shown, wanted, store)?.calls;
}

const change = (menu: MenuDocument, id: string, members: object): MenuDocument => ({
  ...menu,
  items: menu.items.map((item) => (item.external_id === id ? { ...item, ...members } : item)),
});

describe.each(['app-a', 'app-b', 'app-c'] as const)('%s', (app) => {
  const menu = richMenu(1);

  test('without a difference there is no call', () => {
    expect(plan(app, menu, menu)).toEqual([]);
  });

  test('a change has the fewest calls', () => {
    const count = { 'app-a': 2, 'app-b': 1, 'app-c': 3 }[app];
    expect(plan(app, menu, changedRichMenu(1, app))).toHaveLength(count);
  });

  test.each([
    ['another menu', { ...menu, menus: menu.menus.map((each) => ({ ...each, name: 'Other' })) }],
    ['one item less', { ...menu, categories: menu.categories.slice(0, 1) }],
    ['another group', change(menu, 'I1', { data_modifier_groups: [] })],
  ])('%s needs a push', (_, after) => {
    expect(plan(app, menu, after)).toBeUndefined();
  });
});

const alcohol = { details: { alcohol: { units: '0' } } };
const bare = change(richMenu(1), 'I1', { details: null });
test.each([
  ['app-a', 'a name', { name: 'Other' }],
  ['app-a', 'a text', { description: 'Other' }],
  ['app-a', 'an image', { image_url: 'https://images.example/2.png' }],
  ['app-a', 'a tax', { details: { tax: { rate: '1600' } } }],
  ['app-b', 'a barcode', { details: { barcode: '96385074' } }],
  ['app-c', 'a promotion', { price: { value: '15000', promotion_value: '10000' } }],
  ['app-c', 'alcohol', alcohol],
  ['app-c', 'a long text', { description: 'x'.repeat(301) }],
  ['app-c', 'a text that goes', { description: null }],
  ['app-c', 'an image that goes', { image_url: null }],
] as const)('%s: %s needs a push', (app, _, members) => {
  expect(plan(app, bare, change(bare, 'I1', members))).toBeUndefined();
});

test('a price that a bundle repeats needs a push, and facts that go', () => {
  const menu = richMenu(1);
  expect(plan('app-a', menu, change(menu, 'I3', { price: { value: '2600' } }))).toBeUndefined();
  const { details } = menu.items[0] as MenuDocument['items'][number];
  for (const name of ['alcohol', 'allergens', 'calories', 'barcode', 'deposit']) {
    const less = { details: { ...details, [name]: null } };
    expect(plan('app-a', menu, change(menu, 'I1', less))).toBeUndefined();
  }
});

test('App A: a price without decimals needs a push, what has none does not', () => {
  const priced = change(bare, 'I1', { price: { value: '16000' } });
  expect(plan('app-a', bare, priced)).toHaveLength(1);
  expect(plan('app-a', bare, priced, 0)).toBeUndefined();
  expect(plan('app-a', bare, change(bare, 'I1', alcohol), 0)).toHaveLength(1);
});

test('App B: more than 100 elements need a push', () => {
  const item = bare.items.at(-1) as MenuDocument['items'][number];
  const many = Array.from({ length: 101 }, (_, n) => ({ ...item, external_id: `N${n}` }));
  const [category, ...others] = bare.categories;
  const ids = many.map(({ external_id: item_external_id }) => ({ item_external_id }));
  const menu = {
    ...bare,
    categories: [{ ...category, data_items: ids }, ...others],
    items: [...bare.items, ...many],
  } as MenuDocument;
  const dearer = (count: number): MenuDocument =>
    many
      .slice(0, count)
      .reduce((so, { external_id: id }) => change(so, id, { price: { value: '777' } }), menu);
  expect(plan('app-b', menu, dearer(100))).toHaveLength(1);
  expect(plan('app-b', menu, dearer(101))).toBeUndefined();
});
