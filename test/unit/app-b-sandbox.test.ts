import { createAppB } from '../../dev/sandbox/app-b/app-b';
import { validateMenu } from '../../dev/sandbox/app-b/validate-menu';
import { startSandbox, type Sandbox } from '../../dev/sandbox/sandbox';
import { simulateApp } from '../../dev/sandbox/simulated-app';

const SHIFT = {
  start_time: '09:00',
  end_time: '15:00',
  monday: true,
  tuesday: true,
  wednesday: true,
  thursday: true,
  friday: true,
  saturday: true,
  sunday: true,
};

/** The example of the app's format; a fresh one each time, to be broken by a test. */
function goodMenu() {
  return {
    menu: {
      id: 'M1',
      name: 'Main',
      description: '',
      category_ids: ['C1'],
      shifts: [{ ...SHIFT }] as object[],
    },
    categories: [{ id: 'C1', name: 'Pizza', description: '', item_ids: ['I1'] }],
    items: [
      {
        id: 'I1',
        name: 'Margherita',
        image_url: 'https://images.example.com/a.png',
        price: '10.30',
        option_groups: [{ id: 'G1', min: 0, max: 2 }],
      },
      { id: 'I2', name: 'Cheese', price: '1.50', option_groups: [] },
    ] as Record<string, unknown>[],
    option_groups: [{ id: 'G1', name: 'Extras', options: [{ item_id: 'I2', price: '1.20' }] }],
  };
}

type Menu = ReturnType<typeof goodMenu>;
type Break = (menu: Menu) => unknown;

const broken: readonly (readonly [string, string, Break])[] = [
  ['missing_field', '/categories', (menu) => Reflect.deleteProperty(menu, 'categories')],
  ['missing_field', '/items/1/price', ({ items }) => delete items[1]?.['price']],
  ['missing_field', '/menu/id', ({ menu }) => (menu.id = '')],
  ['wrong_type', '/option_groups', (menu) => Object.assign(menu, { option_groups: {} })],
  ['wrong_type', '/items/1/price', ({ items }) => Object.assign(items[1] ?? {}, { price: 1.5 })],
  ['wrong_type', '/menu/description', ({ menu }) => Object.assign(menu, { description: null })],
  ['unknown_field', '/menu/menu_id', ({ menu }) => Object.assign(menu, { menu_id: 'M1' })],
  ['unknown_field', '/a~1b~0', (menu) => Object.assign(menu, { 'a/b~': 1 })],
  ['duplicate_id', '/items/2', ({ items }) => items.push({ ...items[1] })],
  ['duplicate_id', '/menu/category_ids/1', ({ menu }) => menu.category_ids.push('C1')],
  ['unknown_reference', '/menu/category_ids/1', ({ menu }) => menu.category_ids.push('C2')],
  ['unknown_reference', '/categories/0/item_ids/1', (m) => m.categories[0]?.item_ids.push('I9')],
  [
    'orphan_item',
    '/items/0',
    ({ categories }) => Object.assign(categories[0] ?? {}, { item_ids: [] }),
  ],
  [
    'invalid_price',
    '/items/1/price',
    ({ items }) => Object.assign(items[1] ?? {}, { price: '1.5' }),
  ],
  [
    'invalid_price',
    '/items/1/price',
    ({ items }) => Object.assign(items[1] ?? {}, { price: '-1.50' }),
  ],
  ['invalid_quantity', '/items/0/option_groups/0', quantity({ min: 3, max: 2 })],
  ['invalid_quantity', '/items/0/option_groups/0', quantity({ min: -1, max: 2 })],
  ['invalid_quantity', '/items/0/option_groups/0', quantity({ min: 0, max: 0 })],
  ['wrong_type', '/items/0/option_groups/0/max', quantity({ min: 0, max: 1.5 })],
  ['no_shifts', '/menu/shifts', ({ menu }) => (menu.shifts = [])],
  ['no_shifts', '/items/1/shifts', ({ items }) => Object.assign(items[1] ?? {}, { shifts: [] })],
  ['invalid_time', '/menu/shifts/0/end_time', shift({ end_time: '24:00' })],
  ['invalid_time', '/menu/shifts/0/start_time', shift({ start_time: '9:00' })],
  ['window_order', '/menu/shifts/0', shift({ end_time: '09:00' })],
  [
    'windows_overlap',
    '/menu/shifts/1',
    ({ menu }) => menu.shifts.push({ ...SHIFT, start_time: '14:59' }),
  ],
  ['weekdays_not_all', '/menu/shifts/0/sunday', shift({ sunday: false })],
  ['text_too_long', '/menu/name', ({ menu }) => (menu.name = '🍕'.repeat(101))],
  ['text_too_long', '/menu/name', ({ menu }) => (menu.name = '')],
  ['text_too_long', '/menu/description', ({ menu }) => (menu.description = 'd'.repeat(1_001))],
  ['invalid_image_url', '/items/1/image_url', image('http://images.example.com/a.png')],
  ['invalid_image_url', '/items/1/image_url', image('https://')],
];

function quantity(limits: object): Break {
  return ({ items }) => Object.assign(items[0] ?? {}, { option_groups: [{ id: 'G1', ...limits }] });
}

function shift(change: object): Break {
  return ({ menu }) => (menu.shifts = [{ ...SHIFT, ...change }]);
}

function image(url: string): Break {
  return ({ items }) => Object.assign(items[1] ?? {}, { image_url: url });
}

test('the menu of the format description is accepted', () => {
  expect(validateMenu(goodMenu())).toEqual([]);
});

test.each(broken)('%s at %s', (code, path, breakIt) => {
  const menu = goodMenu();
  breakIt(menu);
  expect(validateMenu(menu)).toContainEqual({ code, path, message: expect.any(String) });
});

test('windows that touch at the same minute do not overlap', () => {
  const menu = goodMenu();
  menu.menu.shifts.push({ ...SHIFT, start_time: '15:00', end_time: '23:59' });
  expect(validateMenu(menu)).toEqual([]);
});

test('all errors are reported at once', () => {
  const menu = goodMenu();
  menu.menu.shifts = [];
  menu.menu.category_ids.push('C2');
  Object.assign(menu.items[1] ?? {}, { price: '1' });
  expect(validateMenu(menu).map(({ code }) => code)).toEqual([
    'no_shifts',
    'invalid_price',
    'unknown_reference',
  ]);
});

test.each([null, [], 'menu', 1, true])('%j is not a menu', (value) => {
  expect(validateMenu(value)).toMatchObject([{ code: 'wrong_type', path: '' }]);
});

describe('over HTTP', () => {
  let now = 1_000_000;
  let base = '';
  let sandbox: Sandbox;
  beforeAll(async () => {
    const app = createAppB({ clientId: 'id', clientSecret: 'secret', knownStores: ['m1'] });
    sandbox = await startSandbox({ port: 0, parts: [simulateApp(app)], clock: () => now });
    base = `${sandbox.url}/app-b`;
  });
  afterAll(() => sandbox.close());

  async function tokenCall(form: Record<string, string>) {
    const url = `${base}/oauth/token`;
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    const body = (await answer.json()) as { readonly access_token: string };
    return { status: answer.status, body };
  }

  const grant = { grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret' };

  async function put(token: string, merchant = 'm1', body = JSON.stringify(goodMenu())) {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${base}/v1/merchants/${merchant}/menu`;
    const answer = await fetch(url, { method: 'PUT', headers, body });
    return { status: answer.status, body: await answer.json() };
  }

  test('a token is issued for client credentials and nothing else', async () => {
    expect(await tokenCall(grant)).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 },
    });
    expect(await tokenCall({ ...grant, client_secret: 'wrong' })).toEqual({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await tokenCall({ ...grant, grant_type: 'password' })).status).toBe(400);
  });

  test('a token lives for an hour', async () => {
    const { body } = await tokenCall(grant);
    now += 3_599_999;
    expect(await put(body.access_token)).toEqual({
      status: 200,
      body: { menu_id: 'M1', items: 2 },
    });
    now += 1;
    const expired = { status: 401, body: { error: 'invalid_token' } };
    expect(await put(body.access_token)).toEqual(expired);
  });

  test('unknown merchants and bodies that are not JSON get different errors', async () => {
    const { access_token: token } = (await tokenCall(grant)).body;
    const unknown = { status: 404, body: { error: 'merchant_not_found' } };
    expect(await put(token, 'm2')).toEqual(unknown);
    expect(await put(token, 'm1', '{')).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'invalid_json' }] },
    });
  });
});
