import { checkMenu } from '../../src/menus/rules/check-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES, type Loss, type TransformInput } from '../../src/delivery-apps/types';
import {
  DAYS_OF_WEEK,
  type Item,
  type MenuDocument,
  type ModifierGroup,
} from '../../src/menus/menu';
import { fieldMenu, storeIn } from '../support/field-menus';
import { JUDGED_APPS, judgeMenu } from '../support/judge-random-menus';

type Input = Pick<TransformInput, 'menu' | 'store'>;

function lossesIn(app: string, input: Input): readonly Loss[] {
  return adapterOf(app).transform(input).losses;
}

function shownIn(app: string, input: Input) {
  const adapter = adapterOf(app);
  const transformed = adapter.transform({ ...input, appDPriceUnit: 'decimal' });
  const payload: unknown = JSON.parse(JSON.stringify(transformed.payload));
  return adapter.readShown(payload, { ...input, sentMenus: input.menu.menus });
}

const SOLD = 44;
const OPTIONS = 329;
const GROUPS = 58;

/**
 * A till with as many things as one that was reported: 373 items and options, 58 groups, 127 prices of 0, sizes of
 * which a guest takes exactly one. (Its empty group is refused, as any is.)
 */
function tillMenu(): MenuDocument {
  const groups = Array.from({ length: GROUPS }, (_, n): ModifierGroup => ({
    external_id: `g${n}`,
    name: n % 2 ? 'Size' : 'Topping',
    quantity:
      n % 2 ? { min_quantity: '1', max_quantity: '1' } : { min_quantity: '0', max_quantity: '2' },
    data_options: optionsOf(n).map((id) => ({ item_external_id: id })),
  }));
  const sold = Array.from({ length: SOLD }, (_, n): Item => ({
    external_id: `i${n}`,
    name: `Soft serve ${n}`,
    price: { value: '300' },
    data_modifier_groups: [n, n + SOLD]
      .filter((group) => group < GROUPS)
      .map((group) => ({ modifier_group_external_id: `g${group}` })),
  }));
  const options = Array.from({ length: OPTIONS }, (_, n): Item => ({
    external_id: `o${n}`,
    name: n < 127 ? 'no topping' : `topping ${n}`,
    price: { value: n < 127 ? '0' : '75' },
    data_modifier_groups: [],
  }));
  const schedules = DAYS_OF_WEEK.map((day_of_week) => ({
    day_of_week,
    periods: [{ start: '10:00', end: '22:00' }],
  }));
  return {
    menus: [{ identifier: 'm', name: 'Menu', category_external_ids: ['c'], schedules }],
    categories: [
      {
        external_id: 'c',
        name: 'soft serve',
        data_items: sold.map(({ external_id: id }) => ({ item_external_id: id })),
      },
    ],
    items: [...sold, ...options],
    modifier_groups: groups,
  };
}

/** Free and paid options in turns, so that most groups have both. */
function optionsOf(group: number): readonly string[] {
  return Array.from({ length: OPTIONS }, (_, n) => n)
    .filter((n) => n % GROUPS === group)
    .map((n) => `o${n}`);
}

const MENUS: readonly (readonly [string, Input])[] = [
  ...['01-square-softserve-catalog', '04-careem-payload-jordan', '24-swiggy-burger-menu'].map(
    (name) => [name, fieldMenu(name)] as const,
  ),
  ['a till of 373 items and options', { menu: tillMenu(), store: storeIn('US') }],
];

describe.each(MENUS)('free options and exactly one: %s', (_, input) => {
  test('passes the rules if the operator accepts it', () => {
    const accepted = checkMenu(input.menu, { equalQuantities: 'accept', zeroPrices: 'accept' });
    expect(accepted.ok).toBe(true);
    const refused = checkMenu(input.menu, { equalQuantities: 'refuse', zeroPrices: 'refuse' });
    expect(refused.ok).toBe(false);
  });

  test.each(JUDGED_APPS)('$name takes it, and shows it but for what it said', (app) => {
    for (const appDPriceUnit of ['unit', 'decimal'] as const) {
      const judged = judgeMenu(app, { ...input, appDPriceUnit });
      expect({ ...judged, menu: undefined, verdict: undefined }).toEqual({
        violations: [],
        unnamed: [],
        idle: [],
      });
      // What App D cannot take are cents, unless it is told to send decimals.
      const cents = app.name === 'app-d' && appDPriceUnit === 'unit';
      expect(judged.verdict).toBe(
        cents && !input.store.locale.endsWith('_in') ? 'foretold' : 'accepted',
      );
    }
  });

  test('what App D cannot take is named with its id', () => {
    for (const loss of lossesIn('app-d', input).filter(({ severity }) => severity === 'block')) {
      expect(loss.code).toBe('price_not_representable');
      expect(loss.message.endsWith(`: ${loss.external_id}`)).toBe(true);
      const [, list, index] = loss.pointer.split('/');
      expect(input.menu[list as 'items'][Number(index)]?.external_id).toBe(loss.external_id);
    }
  });

  test.each(APP_NAMES)('%s shows the free options at 0', (app) => {
    const { modifier_groups: groups } = shownIn(app, input);
    const own = new Map(input.menu.items.map(({ external_id: id, price }) => [id, price.value]));
    const free = [...own].filter(([, value]) => value === '0').map(([id]) => id);
    const options = groups.flatMap((group) => group.options);
    const shown = options.filter(({ external_id: id, price }) => own.has(id) && price === '0');
    expect(new Set(shown.map(({ external_id: id }) => id))).toEqual(new Set(free));
  });
});

test('dinars have three decimals where an app takes the lowest denomination', () => {
  const input = fieldMenu('13-three-decimal-dinar');
  const pricesOf = (list: string, field: string, app: string, settings = {}) => {
    const { payload } = adapterOf(app).transform({ ...input, ...settings });
    return (payload as Record<string, Record<string, unknown>[]>)[list]?.map((one) => one[field]);
  };
  expect(pricesOf('items', 'price', 'app-c')).toEqual([1_250, 380]);
  expect(pricesOf('items', 'price_info', 'app-a', { priceUnit: 'lowest' })).toEqual([
    { price: 1_250 },
    { price: 380 },
  ]);
  expect(pricesOf('items', 'price_info', 'app-a')).toEqual([{ price: 125 }, { price: 38 }]);
  expect(pricesOf('items', 'price', 'app-b')).toEqual(['1.25', '0.38']);
  expect(pricesOf('items', 'price', 'app-d', { appDPriceUnit: 'decimal' })).toEqual([1.25, 0.38]);
  for (const app of ['app-a', 'app-b', 'app-c']) {
    expect(shownIn(app, input).items.map(({ price }) => price)).toEqual(['125', '38']);
  }
});

const UNITS = [
  ['app-a', { priceUnit: 'hundredth' }],
  ['app-a', { priceUnit: 'lowest' }],
  ['app-b', {}],
  ['app-c', {}],
  ['app-d', { appDPriceUnit: 'unit' }],
  ['app-d', { appDPriceUnit: 'decimal' }],
] as const;

test.each(UNITS)(
  '39.90 Chilean pesos do not exist in %s, whatever its unit: %j',
  (app, settings) => {
    const input = { ...fieldMenu('36b-forgot-the-two-zeros'), ...settings };
    expect(lossesIn(app, input).filter(({ severity }) => severity === 'block')).toEqual([
      {
        code: 'price_not_representable',
        severity: 'block',
        pointer: '/items/0',
        external_id: 's',
        message: 'The item price has decimals that the currency does not have: s',
      },
    ]);
  },
);

test('texts that are too long end between the letters that a guest sees', () => {
  const input = fieldMenu('15-scripts-emoji-rtl');
  const family = '👨‍👩‍👧‍👦';
  const inC = new Map(shownIn('app-c', input).items.map((item) => [item.external_id, item.name]));
  expect(inC.get('emoji')).toBe(`Family box ${family.repeat(5)}`);
  expect(inC.get('flag')).toBe('Sampler of the world 🇲🇽🇧🇷🇯🇵🇰🇼🇹🇭🇲🇽🇧🇷🇯🇵🇰🇼🇹🇭🇲🇽🇧🇷🇯🇵🇰🇼');
  expect(inC.get('comb')?.normalize('NFC')).toMatch(/^Café olé?x+$/);
  for (const name of inC.values()) {
    expect(name).not.toMatch(/[\u200D\s]$/u);
    expect(Array.from(name).length).toBeLessThanOrEqual(50);
  }
  const cut = lossesIn('app-c', input).filter(({ code }) => code === 'text_cut');
  expect(cut.map(({ external_id: id }) => id)).toEqual(['ข้าว-1', 'emoji', 'jp', 'comb', 'flag']);
  for (const app of ['app-a', 'app-b']) {
    const shown = shownIn(app, input).items.map(({ name }) => name);
    expect(shown).toEqual(input.menu.items.map(({ name }) => name));
  }
});

test.each(['31-long-description', '32-long-name'])('App B cuts %s and says so', (name) => {
  const input = fieldMenu(name);
  const [item] = shownIn('app-b', input).items;
  expect(item?.name.length).toBeLessThanOrEqual(100);
  expect(item?.description?.length ?? 0).toBeLessThanOrEqual(1_000);
  expect(lossesIn('app-b', input)).toEqual([
    expect.objectContaining({ code: 'text_cut', severity: 'warn', pointer: '/items/0' }),
  ]);
});

test('HTML is sent as it is, with a word about it wherever an app shows the text', () => {
  const input = fieldMenu('30-html-and-controls-in-texts');
  const said = (app: string) =>
    lossesIn(app, input)
      .filter(({ code }) => code === 'markup_in_text')
      .map(({ severity, message }) => `${severity} ${message}`);
  const category =
    'info The category has HTML in its name, which guests may see as it is written: f';
  const item =
    'info The item has HTML in its name and its description, which guests may see as it is written: soup';
  for (const app of APP_NAMES) {
    expect(said(app)).toEqual([category, item].toSorted(byOrderOf(said(app))));
    expect(shownIn(app, input).items[0]?.description).toBe(input.menu.items[0]?.description);
  }
});

/** Which of two entities an app looks at first is its own. */
function byOrderOf(list: readonly string[]) {
  return (one: string, other: string) => list.indexOf(one) - list.indexOf(other);
}

test('HTML in a text that an app does not show is not told', () => {
  const { menu, store } = fieldMenu('31-long-description');
  const [main] = menu.menus;
  if (!main) throw new Error('There is no menu.');
  const marked = { ...main, name: 'Menu', description: 'All <b>day</b>' };
  const codes = (app: string) =>
    lossesIn(app, { store, menu: { ...menu, menus: [marked] } }).map(({ code }) => code);
  expect(codes('app-a')).toContain('markup_in_text');
  expect(codes('app-b')).toContain('markup_in_text');
  expect(codes('app-c')).not.toContain('markup_in_text');
  expect(codes('app-d')).not.toContain('markup_in_text');
});
