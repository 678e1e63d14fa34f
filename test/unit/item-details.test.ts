import { adapterOf } from '../../src/delivery-apps/registry';
import { driftOf } from '../../src/delivery-apps/shown-changes';
import type { StoreFacts } from '../../src/delivery-apps/types';
import { isBarcode, type ItemDetails } from '../../src/menus/details';
import type { MenuDocument } from '../../src/menus/menu';
import { item, STORE } from './app-a-menus';
import { bar, EVERYTHING, sent } from './detail-menus';

function wireItem(app: string, details: ItemDetails, store: Partial<StoreFacts> = {}) {
  const { payload } = sent(app, bar(details), store);
  return (payload as { readonly items: readonly object[] }).items[0];
}

function lossesOf(app: string, details: ItemDetails, store: Partial<StoreFacts> = {}) {
  return sent(app, bar(details), store)
    .losses.filter(({ code }) => code === 'detail_ignored' || code === 'tax_not_representable')
    .map(({ severity, pointer }) => `${severity} ${pointer}`);
}

function shownDetails(app: string, details: ItemDetails) {
  const document = bar(details);
  const { payload } = sent(app, document);
  const shown = adapterOf(app).readShown(JSON.parse(JSON.stringify(payload)), {
    store: STORE,
    sentMenus: document.menus,
  });
  return shown.items[0]?.details;
}

test('App A has a place for every member, and gives them back as they were sent', () => {
  expect(wireItem('app-a', EVERYTHING)).toMatchObject({
    price_info: { price: 4500, container_deposit: 100 },
    tax_info: { vat_rate_percentage: 16, mx_ieps_rate: 8 },
    tax_label_info: { default_value: { labels: ['CAT_ALCOHOL', 'TEMP_COLD'], source: 'MANUAL' } },
    dish_info: {
      classifications: {
        alcoholic_items: 1,
        can_serve_alone: false,
        dietary_label_info: { labels: ['VEGAN'] },
      },
    },
    beverage_info: { alcohol_by_volume: 450 },
    nutritional_info: {
      allergens: ['GLUTEN', 'TREE_NUTS'],
      calories: {
        energy_interval: { lower: 25_000_000, upper: 30_000_000 },
        display_type: 'multiple_items',
      },
    },
    product_info: { gtin: '4006381333931' },
    bundled_items: [{ item_id: 'I2', core_price: 2000, included_quantity: 2 }],
  });
  expect(lossesOf('app-a', EVERYTHING)).toEqual([]);
  expect(shownDetails('app-a', EVERYTHING)).toEqual(EVERYTHING);
});

test('App A: tax on top, one number of calories, diets without a word for them, excise elsewhere', () => {
  const details: ItemDetails = {
    tax: { rate: '825', included: false, excise_rate: '100' },
    calories: { to: '250' },
    diets: ['halal', 'vegetarian'],
  };
  expect(wireItem('app-a', details, { locale: 'en_us' })).toMatchObject({
    tax_info: { tax_rate: 8.25 },
    dish_info: { classifications: { dietary_label_info: { labels: ['VEGETARIAN'] } } },
    nutritional_info: { calories: { display_type: 'single_item' } },
  });
  expect(lossesOf('app-a', details, { locale: 'en_us' })).toEqual([
    'warn /items/0',
    'warn /items/0/details/diets',
  ]);
  expect(shownDetails('app-a', details)).toEqual({
    tax: { rate: '825', included: false, excise_rate: '100' },
    calories: { from: '250', to: '250' },
    diets: ['vegetarian'],
  });
});

test('App B has barcodes alone, and names what it does not show', () => {
  expect(wireItem('app-b', EVERYTHING)).toMatchObject({ ean: '4006381333931' });
  expect(shownDetails('app-b', EVERYTHING)).toEqual({ barcode: '4006381333931' });
  expect(lossesOf('app-b', EVERYTHING)).toEqual([
    'warn /items/0/details/tax',
    'warn /items/0/details/alcohol',
    'warn /items/0/details/allergens',
    'warn /items/0/details/diets',
    'warn /items/0/details/deposit',
    'info /items/0/details/tax_labels',
    'info /items/0/details/serves_alone',
    'info /items/0/details/calories',
    'info /items/0/details/bundled_items',
  ]);
});

test('App C has alcohol, and the taxes of Mexico and Japan', () => {
  expect(wireItem('app-c', EVERYTHING)).toMatchObject({
    has_wine: 1,
    tax_info_list: [
      { type: 1, rate: 1600 },
      { type: 2, rate: 800 },
    ],
  });
  expect(shownDetails('app-c', EVERYTHING)).toEqual({ tax: { rate: '1600', excise_rate: '800' } });
  expect(wireItem('app-c', { alcohol: { units: '0' } })).toMatchObject({ has_wine: 0 });
  expect(lossesOf('app-c', { tax: { rate: '1600' }, alcohol: { units: '2' } })).toEqual([]);
});

test.each<[string, NonNullable<ItemDetails['tax']>]>([
  ['es_mx', { rate: '800' }],
  ['es_mx', { rate: '1600', included: false }],
  ['es_mx', { rate: '1600', excise_rate: '10001' }],
  ['es_co', { rate: '1600' }],
])('App C in %s cannot have the tax %j', (locale, tax) => {
  expect(lossesOf('app-c', { tax }, { locale })).toEqual(['warn /items/0']);
});

test('App C in Japan takes a menu of which every item has a tax', () => {
  const store = { locale: 'ja_jp', currencyExponent: 0 } as const;
  const document = bar({ tax: { rate: '800' } });
  const [first, second] = document.items;
  expect(sent('app-c', document, store).payload).toBeNull();
  const taxed = {
    ...document,
    items: [first, { ...second, details: { tax: { rate: '1000' } } }],
  } as MenuDocument;
  expect(sent('app-c', taxed, store).payload).toMatchObject({
    items: [{ tax_rate: 800 }, { tax_rate: 1000 }],
  });
});

test('App C promotes no alcohol', () => {
  const price = { value: '4500', promotion_value: '4000' };
  const document = bar({ alcohol: { units: '1' } }, price);
  const { payload, losses } = sent('app-c', document);
  expect(JSON.stringify(payload)).not.toContain('activity_price');
  expect(losses.map(({ code }) => code)).toContain('promotion_price_invalid');
  const other = bar({ alcohol: { units: '0' } }, price);
  expect(JSON.stringify(sent('app-c', other).payload)).toContain('"activity_price":4000');
});

test('App D knows that an item is made of others', () => {
  expect(wireItem('app-d', EVERYTHING)).toMatchObject({ combo: true });
  expect(lossesOf('app-d', EVERYTHING)).toHaveLength(9);
  expect(lossesOf('app-d', EVERYTHING)).not.toContain('info /items/0/details/bundled_items');
});

test('what nobody uses, and what says nothing, is no loss', () => {
  expect(lossesOf('app-b', { allergens: [], calories: {}, barcode: '', tax: null })).toEqual([]);
  const document = bar({});
  const unused = { ...item('I3', '100'), details: EVERYTHING };
  const { losses } = sent('app-b', { ...document, items: [...document.items, unused] });
  expect(losses.map(({ code }) => code)).not.toContain('detail_ignored');
});

test('no app is told anything of an item without details', () => {
  const plain = bar({});
  const [first, second] = plain.items;
  const { details: _, ...bare } = first ?? item('I1', '1');
  const without = { ...plain, items: [bare, second] } as MenuDocument;
  for (const app of ['app-a', 'app-b', 'app-c', 'app-d']) {
    expect(JSON.stringify(sent(app, plain).payload)).toBe(
      JSON.stringify(sent(app, without).payload),
    );
  }
});

test('a detail that the app changed is drift, and one that it added is not', () => {
  const app = adapterOf('app-a');
  const document = bar({ tax: { rate: '1600' } });
  const pushed = JSON.stringify(sent('app-a', document).payload);
  const context = { store: STORE, sentMenus: document.menus };
  const drift = (shown: string) =>
    driftOf(app, context, Buffer.from(pushed), Buffer.from(shown), 10)?.changes;
  expect(drift(pushed.replace('"vat_rate_percentage":16', '"vat_rate_percentage":8'))).toEqual([
    expect.objectContaining({ field: 'details.tax', after: { rate: '800' } }),
  ]);
  const added = pushed.replaceAll('"tax_info":', '"product_info":{"gtin":"96385074"},"tax_info":');
  expect(drift(added)).toEqual([]);
});

test.each(['96385074', '036000291452', '4006381333931', '10012345678902'])(
  '%s is a barcode',
  (code) => {
    expect(isBarcode(code)).toBe(true);
  },
);

test.each(['', '96385075', '9638507', '40063813339', '400638133393a', '100123456789028', '٩'])(
  '%j is none',
  (code) => {
    expect(isBarcode(code)).toBe(false);
  },
);
