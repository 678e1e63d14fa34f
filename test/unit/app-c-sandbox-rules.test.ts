import { validateMenu } from '../../dev/sandbox/app-c/validate-menu';

type Fields = Readonly<Record<string, unknown>>;

const MENU: Fields = { app_menu_id: 'M1', menu_name: 'Menu', app_category_ids: ['C1'] };
const CATEGORY: Fields = { app_category_id: 'C1', category_name: 'Pizza', app_item_ids: ['I1'] };
const ITEM: Fields = {
  app_item_id: 'I1',
  item_name: 'Margherita',
  price: 1000,
  status: 1,
  is_sold_separately: true,
  app_modifier_group_ids: ['G1'],
};
const GROUP: Fields = {
  app_modifier_group_id: 'G1',
  modifier_group_name: 'Extras',
  buy_mode: 1,
  is_required: 2,
  quantity_min_permitted: 0,
  quantity_max_permitted: 2,
  app_mg_items: [{ app_item_id: 'I1', price: 100 }],
};

/** The menu above, each list with what differs in its entity. */
function menuWith({ menu = {}, category = {}, item = {}, group = {} }: Record<string, Fields>) {
  return {
    auth_token: 'token',
    menus: [{ ...MENU, ...menu }],
    categories: [{ ...CATEGORY, ...category }],
    items: [{ ...ITEM, ...item }],
    modifier_groups: [{ ...GROUP, ...group }],
  };
}

describe('the simulated App C takes', () => {
  it.each<[string, Record<string, Fields>]>([
    ['a menu with everything in it', {}],
    [
      'long names of items and groups',
      { item: named('item_name'), group: named('modifier_group_name') },
    ],
    ['an activity price above the price', { item: { activity_price: 1001 } }],
    ['an activity price 1 % below', { item: { activity_price: 990 } }],
    ['no activity price', { item: { activity_price: null } }],
    [
      'texts at their limits',
      { menu: { menu_name: '🍕'.repeat(50) }, item: { short_desc: 'd'.repeat(400) } },
    ],
    ['hours', { item: { sold_info_intl: [hours([1, 7]), { time: [], day: [2] }] } }],
    [
      'a group that only says whether it is single',
      { group: { is_required: undefined, app_mg_items: undefined } },
    ],
    [
      'an option with a maximum',
      { group: { app_mg_items: [{ app_item_id: 'I1', purchase_limit: 3 }] } },
    ],
  ])('%s', (_, differences) => {
    expect(validateMenu(menuWith(differences))).toBeUndefined();
  });
});

describe('the simulated App C refuses', () => {
  it.each<[Record<string, Fields>, string]>([
    [{ item: { item_name: '' } }, 'item name is empty, related app_item_id is I1'],
    [{ item: { item_name: undefined } }, 'item name is empty, related app_item_id is I1'],
    [{ item: { item_name: 5 } }, 'item name is invalid, related app_item_id is I1'],
    [{ item: { price: undefined } }, 'price is empty, related app_item_id is I1'],
    [{ item: { price: 10.5 } }, 'price is invalid, related app_item_id is I1'],
    [{ item: { price: '1000' } }, 'price is invalid, related app_item_id is I1'],
    [{ item: { price: -1 } }, 'price is invalid, related app_item_id is I1'],
    [{ item: { status: undefined } }, 'status is empty, related app_item_id is I1'],
    [{ item: { status: 3 } }, 'status is invalid, related app_item_id is I1'],
    [
      { item: { is_sold_separately: 1 } },
      'is_sold_separately is invalid, related app_item_id is I1',
    ],
    [{ item: { activity_price: 0 } }, 'activity_price is invalid, related app_item_id is I1'],
    [
      { item: { activity_price: 991 } },
      'activity_price is less than 1% below price, related app_item_id is I1',
    ],
    [
      { item: { activity_price: 1000 } },
      'activity_price is less than 1% below price, related app_item_id is I1',
    ],
    [
      { item: { short_desc: 'd'.repeat(401) } },
      'short_desc is too long, related app_item_id is I1',
    ],
    [
      { item: { app_modifier_group_ids: ['G2'] } },
      'app_modifier_group_ids does not exist: G2, related app_item_id is I1',
    ],
    [
      { item: { app_modifier_group_ids: ['G1', 'G1'] } },
      'app_modifier_group_ids is repeated: G1, related app_item_id is I1',
    ],
    [
      { item: { sold_info_intl: [hours([1]), hours([1])] } },
      'sold_info_intl day is repeated, related app_item_id is I1',
    ],
    [
      { item: { sold_info_intl: [hours([0])] } },
      'sold_info_intl day is invalid, related app_item_id is I1',
    ],
    [
      { item: { sold_info_intl: [hours([1], '9:00')] } },
      'sold_info_intl time is invalid, related app_item_id is I1',
    ],
    [
      { item: { sold_info_intl: [hours([1], '23:59')] } },
      'sold_info_intl time is invalid, related app_item_id is I1',
    ],
    [{ menu: { menu_name: 'm'.repeat(51) } }, 'menu name is too long, related app_item_id is M1'],
    [
      { menu: { app_category_ids: ['C2'] } },
      'app_category_ids does not exist: C2, related app_item_id is M1',
    ],
    [
      { category: { category_name: 'c'.repeat(101) } },
      'category name is too long, related app_item_id is C1',
    ],
    [{ category: { app_item_ids: undefined } }, 'app_item_ids is empty, related app_item_id is C1'],
    [
      { category: { app_item_ids: ['I1', 'I1'] } },
      'app_item_ids is repeated: I1, related app_item_id is C1',
    ],
    [
      { category: { app_item_ids: ['I2'] } },
      'app_item_ids does not exist: I2, related app_item_id is C1',
    ],
    [{ category: { app_item_ids: [] } }, 'item is in no category, related app_item_id is I1'],
    [
      { group: { app_modifier_group_id: 'g'.repeat(151) }, item: { app_modifier_group_ids: [] } },
      `id is too long, related app_item_id is ${'g'.repeat(151)}`,
    ],
    [
      { group: { modifier_group_name: '' } },
      'modifier group name is empty, related app_item_id is G1',
    ],
    [{ group: { buy_mode: undefined } }, 'buy_mode is empty, related app_item_id is G1'],
    [{ group: { buy_mode: 2 } }, 'buy_mode is invalid, related app_item_id is G1'],
    [{ group: { is_required: 0 } }, 'is_required is invalid, related app_item_id is G1'],
    [
      { group: { quantity_min_permitted: 3 } },
      'quantity_max_permitted is less than quantity_min_permitted, related app_item_id is G1',
    ],
    [
      { group: { quantity_min_permitted: -1 } },
      'quantity_min_permitted is invalid, related app_item_id is G1',
    ],
    [
      { group: { app_mg_items: [{ app_item_id: 'I2' }] } },
      'app_mg_items does not exist: I2, related app_item_id is G1',
    ],
    [
      { group: { app_mg_items: [{ app_item_id: 'I1', price: 1.5 }] } },
      'app_mg_items price is invalid, related app_item_id is G1',
    ],
    [
      { group: { app_mg_items: [{ app_item_id: 'I1', purchase_limit: 0 }] } },
      'purchase_limit is invalid, related app_item_id is G1',
    ],
  ])('%j', (differences, message) => {
    expect(validateMenu(menuWith(differences))).toBe(message);
  });

  it.each(['menus', 'categories', 'items', 'modifier_groups'])('a body without %s', (list) => {
    expect(validateMenu({ ...menuWith({}), [list]: undefined })).toContain(`${list} is empty`);
    expect(validateMenu({ ...menuWith({}), [list]: [null] })).toContain(`${list} is invalid`);
  });

  it.each(['menus', 'categories', 'items', 'modifier_groups'] as const)('repeated %s', (list) => {
    const menu = menuWith({});
    expect(validateMenu({ ...menu, [list]: [...menu[list], ...menu[list]] })).toContain(
      'is repeated',
    );
  });

  it.each([undefined, null, 'menu', 1, []])('%j in place of a menu', (body) => {
    expect(validateMenu(body)).toContain('the menu is invalid');
  });

  it.each([
    ['2 menus', { menus: many(2, MENU, 'app_menu_id') }, 'exactly 1 menu'],
    ['no menu', { menus: [] }, 'exactly 1 menu'],
    ['21 categories', { categories: many(21, CATEGORY, 'app_category_id') }, '20 categories'],
    [
      '4,001 items',
      { items: many(4_001, { ...ITEM, is_sold_separately: false }, 'app_item_id') },
      '4000 items',
    ],
    ['401 main items', { items: many(401, ITEM, 'app_item_id') }, '400 main items'],
    [
      '501 groups',
      { modifier_groups: many(501, GROUP, 'app_modifier_group_id') },
      '500 modifier groups',
    ],
    [
      '301 items in a category',
      {
        items: many(301, ITEM, 'app_item_id'),
        categories: [{ ...CATEGORY, app_item_ids: many(301, {}, 'id').map(({ id }) => id) }],
        modifier_groups: [{ ...GROUP, app_mg_items: [] }],
      },
      '300 items in the category',
    ],
  ])('%s', (_, lists, message) => {
    expect(validateMenu({ ...menuWith({}), ...lists })).toContain(message);
  });
});

function named(key: string): Fields {
  return { [key]: 'n'.repeat(255) };
}

function hours(day: readonly number[], begin = '09:00'): Fields {
  return { time: [{ begin, end: '23:59' }], day };
}

function many(count: number, entity: Fields, key: string): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({ ...entity, [key]: `X${index}` }));
}
