import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { detailWords } from '../../src/console/detail-words';
import { ShownMenu } from '../../src/console/shown-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { Shown } from '../../src/delivery-apps/shown';
import type { MenuDocument, Price } from '../../src/menus/menu';
import { APP_NAMES, type Loss } from '../../src/delivery-apps/types';
import {
  GOLDEN_STORE,
  type GoldenMenu,
  readGoldenMenu,
  readGoldenMenus,
  transformGolden,
} from '../delivery-apps/golden-menus';

const OTHERS = 'Other losses';

interface Given {
  readonly shown: Shown;
  readonly losses: readonly Loss[];
}

function given(app: string, golden: GoldenMenu): Given {
  const { payload, losses } = transformGolden(app, golden);
  const { menu, store } = golden.inputFor(GOLDEN_STORE);
  const shown = payload
    ? adapterOf(app).readShown(payload, { store, sentMenus: menu.menus })
    : { menus: [], items: [], modifier_groups: [] };
  return { shown, losses };
}

const pictureLink = (url: string) => `/pictures?${url}`;

/** The page, without the marks that stand for others in HTML. */
function render({ shown, losses }: Given, mostItems = 500): string {
  return renderToString(h(ShownMenu, { shown, losses, mostItems, pictureLink }))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

const times = (page: string, text: string) => page.split(text).length - 1;

const loss = (pointer: string, id: string, message: string): Loss => ({
  code: 'text_cut',
  severity: 'warn',
  pointer,
  external_id: id,
  message,
});

describe.each(APP_NAMES)('of every shared menu in %s', (app) => {
  test.each(readGoldenMenus().map((golden) => [golden.name, golden] as const))(
    'every loss of %s is on the page, however few items it shows',
    (_name, golden) => {
      const menu = given(app, golden);
      for (const mostItems of [500, 1, 0]) {
        const page = render(menu, mostItems);
        const missing = menu.losses.filter(({ message }) => !page.includes(message));
        expect([mostItems, missing]).toEqual([mostItems, []]);
      }
    },
  );
});

test('the loss of an item that is only an option stands beside the group that it is an option of', () => {
  const menu = given('app-c', readGoldenMenu('promotions'));
  const inRows = new Set(
    menu.shown.menus.flatMap((each) => each.categories.flatMap((c) => c.items)),
  );
  const ofOptions = menu.losses.filter(
    ({ pointer, external_id: id }) => pointer.startsWith('/items/') && !inRows.has(id ?? ''),
  );
  expect(ofOptions.length).toBeGreaterThan(0);
  const page = render(menu);
  const groups = page.slice(page.indexOf('Modifier groups'), page.indexOf(OTHERS));
  for (const { message } of ofOptions) expect(groups).toContain(message);
});

test('a loss of an id that a category and an item share stands beside the one that has it, once', () => {
  const menu = given('app-b', readGoldenMenu('same-ids-across-kinds'));
  const [shared] = menu.shown.menus.flatMap(({ categories }) =>
    categories.filter(({ external_id: id, items }) => items.includes(id)),
  );
  const id = shared?.external_id ?? '';
  const page = render({ ...menu, losses: [loss('/items/0', id, 'The item lost something.')] });
  expect(times(page, 'The item lost something.')).toBe(1);
  expect(page.indexOf('The item lost something.')).toBeLessThan(page.indexOf(OTHERS));
});

test('the loss of a group that is shown only as copies stands with the other losses', () => {
  const group = { name: 'Extras', min: 0, max: 2, options: [] };
  const shown: Shown = {
    menus: [],
    items: [],
    modifier_groups: [{ external_id: 'G1~I1', ...group }],
  };
  const losses = [loss('/modifier_groups/0', 'G1', 'The group was copied.')];
  const page = render({ shown, losses });
  expect(page.slice(page.indexOf(OTHERS))).toContain('The group was copied.');
});

test('the loss of an option of many groups stands once', () => {
  const option = { external_id: 'I1', price: '100', promotion_price: null, min: null, max: null };
  const group = { name: 'Extras', min: 0, max: 2, options: [option] };
  const shown: Shown = {
    menus: [],
    items: [],
    modifier_groups: ['G1', 'G2'].map((id) => ({ external_id: id, ...group })),
  };
  const losses = [loss('/items/0', 'I1', 'The option lost something.')];
  expect(times(render({ shown, losses }), 'The option lost something.')).toBe(1);
});

/** A menu with what restaurants want to say, as an app shows it. */
function wishes(app: string, napkins: Price = { free: true }): string {
  const document = {
    menus: [
      {
        identifier: 'M1',
        name: 'Menu',
        category_external_ids: ['C1'],
        schedules: [{ day_of_week: 'monday', periods: [{ start: '09:00', end: '22:00' }] }],
      },
    ],
    categories: [
      {
        external_id: 'C1',
        name: 'All',
        data_items: [{ item_external_id: 'I1' }, { item_external_id: 'I2' }],
      },
    ],
    items: [
      {
        external_id: 'I1',
        name: 'Lager',
        price: { value: '4500' },
        data_modifier_groups: [
          {
            modifier_group_external_id: 'G1',
            quantity: { min_quantity: '0', max_quantity: '5', free_quantity: '3' },
          },
          { modifier_group_external_id: 'G2', quantity: { exactly: '1' } },
        ],
        details: {
          tax: { rate: '1600', excise_rate: '850' },
          tax_labels: ['CAT_ALCOHOL'],
          alcohol: { units: '1', by_volume: '450' },
          serves_alone: false,
          allergens: ['gluten', 'tree_nuts'],
          diets: ['vegan'],
          calories: { from: '90', to: '120' },
          barcode: '4006381333931',
          bundled_items: [{ item_external_id: 'I3_x', quantity: '2' }],
          deposit: { value: '100' },
        },
      },
      { external_id: 'I2', name: 'Napkins', price: napkins, data_modifier_groups: [] },
      { external_id: 'I3_x', name: 'Lime', price: { value: '150' }, data_modifier_groups: [] },
      { external_id: 'I4', name: 'Ice', price: { free: true }, data_modifier_groups: [] },
    ],
    modifier_groups: [
      {
        external_id: 'G1',
        name: 'Extras',
        quantity: { min_quantity: '0', max_quantity: '5' },
        data_options: [{ item_external_id: 'I3_x' }],
      },
      {
        external_id: 'G2',
        name: 'Cold',
        quantity: { exactly: '1' },
        data_options: [{ item_external_id: 'I4' }],
      },
    ],
  } as const satisfies MenuDocument;
  const { payload, losses } = adapterOf(app).transform({ menu: document, store: GOLDEN_STORE });
  const context = { store: GOLDEN_STORE, sentMenus: document.menus };
  return render({ shown: adapterOf(app).readShown(payload, context), losses });
}

test('what is free, included or exactly so many is said in words, as are the details of an item', () => {
  const page = wishes('app-a');
  for (const words of [
    '>free<',
    '<b>Extras</b> <span class="none">choose up to 5, 3 free</span>',
    '<b>Cold</b> <span class="none">choose exactly 1</span>',
    '>Lime 1.50<',
    '>Ice free<',
    'Mon 09:00–22:00',
    'tax 16 %, excise 8.5 %',
    'tax labels CAT_ALCOHOL',
    '1 unit of alcohol, 4.5 %',
    'no meal by itself',
    'allergens gluten, tree nuts',
    'diets vegan',
    '90 to 120 kcal',
    'barcode 4006381333931',
    'made of 2 × I3_x',
    'deposit 1.00',
  ]) {
    expect(page).toContain(words);
  }
});

test('an app that has no such members shows none', () => {
  const page = wishes('app-d', { value: '500' });
  expect(page).not.toContain('kcal');
  // Two groups in place of included units.
  expect(page).toMatch(/choose up to 3<.*G1\S*~free</);
});

test('details are said in few words', () => {
  expect(detailWords(undefined)).toEqual([]);
  expect(
    detailWords({
      tax: { rate: '800', included: false },
      alcohol: { units: '0' },
      calories: { from: '90', to: '90' },
      serves_alone: true,
      allergens: [],
      diets: null,
    }),
  ).toEqual(['tax 8 % on top', 'no alcohol', 'a meal by itself', '90 kcal']);
  expect(detailWords({ alcohol: { units: '2' }, calories: {} })).toEqual(['2 units of alcohol']);
});
