import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';

const PRICE = 'Invalid Price Info: item I1 price must be a whole number of at least 0';

describe('the simulated App A', () => {
  it('accepts a menu that follows every rule', () => {
    expect(firstBrokenRule(menu())).toBeNull();
  });

  it.each<[string, readonly (string | number)[], unknown, string]>([
    ['no menus', ['menus'], [], 'No Menus'],
    ['no list', ['items'], undefined, 'Missing Field: items'],
    ['a list of another type', ['items'], {}, 'Invalid Request: items must be a list'],
    ['no title', ['categories', 0, 'title'], undefined, 'Missing Field: categories[0].title'],
    [
      'a title in two languages',
      ['menus', 0, 'title', 'translations', 'en_us'],
      'Menu',
      'Invalid Request: menus[0].title must have one translation',
    ],
    [
      'a language without country',
      ['menus', 0, 'title', 'translations'],
      { es: 'Menú' },
      'Invalid Request: menus[0].title has a locale without country: es',
    ],
    [
      'null for nothing',
      ['items', 0, 'description'],
      null,
      'Invalid Request: items[0].description must be an object',
    ],
    ['no hours', ['menus', 0, 'service_availability'], [], 'No Hours: menu M1'],
    [
      'short hours',
      ['menus', 0, 'service_availability', 0, 'time_periods', 0, 'end_time'],
      '09:30',
      'Short Hours: menu M1 monday 09:00-09:30',
    ],
    [
      'hours past midnight',
      ['menus', 0, 'service_availability', 0, 'time_periods', 0, 'end_time'],
      '02:00',
      'Invalid Time: menu M1 monday 09:00-02:00',
    ],
    ['no item id', ['items', 0, 'id'], undefined, 'nil item: items[0]'],
    ['no tax info', ['items', 0, 'tax_info'], undefined, 'Missing Field: items[0].tax_info'],
    ['a price in decimals', ['items', 0, 'price_info', 'price'], 10.3, PRICE],
    ['a price as text', ['items', 0, 'price_info', 'price'], '1030', PRICE],
    ['no price', ['items', 0, 'price_info', 'price'], null, PRICE],
    [
      'a price over the maximum',
      ['items', 0, 'price_info', 'price'],
      37_501,
      'Invalid Price Info: item I1 price 37501 exceeds 37500',
    ],
    [
      'an override over the maximum',
      ['items', 0, 'price_info', 'overrides', 0, 'price'],
      40_000,
      'Invalid Price Info: item I1 price 40000 exceeds 37500',
    ],
    ['a repeated id', ['items', 1, 'id'], 'I1', 'Repeated Id: item I1'],
    [
      'a repeated context',
      ['items', 0, 'price_info', 'overrides', 1],
      { context_type: 'MENU', context_value: 'M1', price: 7 },
      'Repeated Override: items[0].price_info MENU M1',
    ],
    [
      'an unknown category',
      ['menus', 0, 'category_ids', 0],
      'C9',
      'Unknown Reference: menu M1 category C9',
    ],
    [
      'an unknown item',
      ['categories', 0, 'entities', 0, 'id'],
      'I9',
      'Unknown Reference: category C1 item I9',
    ],
    [
      'an unknown option',
      ['modifier_groups', 0, 'modifier_options', 0, 'id'],
      'I9',
      'Unknown Reference: modifier group G1 item I9',
    ],
    [
      'an unknown group',
      ['items', 0, 'modifier_group_ids', 'ids', 0],
      'G9',
      'Unknown Reference: item I1 modifier group G9',
    ],
    [
      'an unknown group in a context',
      ['items', 0, 'modifier_group_ids', 'overrides'],
      [{ context_type: 'MENU', context_value: 'M1', ids: ['G9'] }],
      'Unknown Reference: item I1 modifier group G9',
    ],
    [
      'groups in a context that is not in the menu',
      ['items', 0, 'modifier_group_ids', 'overrides'],
      [{ context_type: 'MENU', context_value: 'M9', ids: [] }],
      'Unknown Reference: item I1 override MENU M9',
    ],
    [
      'a context without its groups',
      ['items', 0, 'modifier_group_ids', 'overrides'],
      [{ context_type: 'MENU', context_value: 'M1' }],
      'Missing Field: items[0].modifier_group_ids.overrides.ids',
    ],
    [
      'a context that is not in the menu',
      ['items', 0, 'price_info', 'overrides', 0, 'context_value'],
      'M9',
      'Unknown Reference: item I1 override MENU M9',
    ],
    [
      'min above max',
      ['modifier_groups', 0, 'quantity_info', 'quantity', 'min_permitted'],
      3,
      'Invalid Quantity: modifier group G1 min_permitted 3 is above max_permitted 2',
    ],
    [
      'a quantity below zero',
      ['modifier_groups', 0, 'quantity_info', 'quantity', 'min_permitted'],
      -1,
      'Invalid Quantity: modifier group G1 min_permitted must be a whole number of at least 0',
    ],
    [
      'a charge without refund',
      ['modifier_groups', 0, 'quantity_info', 'quantity', 'charge_above'],
      1,
      'Invalid Quantity: modifier group G1 must have both charge_above and refund_under or none',
    ],
    [
      'a unique limit on an item',
      ['items', 0, 'quantity_info'],
      { quantity: { max_permitted_unique: 1 } },
      'Invalid Quantity: item I1 is no modifier group',
    ],
  ])('refuses %s and names the rule', (_, path, value, message) => {
    expect(firstBrokenRule(changed(menu(), path, value), { maximumPrice: 37_500 })).toBe(message);
  });

  it.each([null, [], 'menu', 7])('refuses %j for a menu', (payload) => {
    expect(firstBrokenRule(payload)).toBe('Invalid Request: body must be an object');
  });

  it('accepts a menu without categories and items, which clears what is shown', () => {
    const empty = changed(changed(menu(), ['categories'], []), ['items'], []);
    const cleared = changed(
      changed(empty, ['modifier_groups'], []),
      ['menus', 0, 'category_ids'],
      [],
    );
    expect(firstBrokenRule(cleared)).toBeNull();
  });

  it('accepts an item that costs nothing', () => {
    expect(firstBrokenRule(changed(menu(), ['items', 0, 'price_info', 'price'], 0))).toBeNull();
  });
});

function text(words: string): unknown {
  return { translations: { es_mx: words } };
}

function menu(): unknown {
  return {
    menus: [
      {
        id: 'M1',
        title: text('Menú'),
        service_availability: [
          { day_of_week: 'monday', time_periods: [{ start_time: '09:00', end_time: '22:00' }] },
        ],
        category_ids: ['C1'],
      },
    ],
    categories: [{ id: 'C1', title: text('Pizza'), entities: [{ id: 'I1', type: 'ITEM' }] }],
    items: [
      {
        id: 'I1',
        title: text('Margarita'),
        price_info: {
          price: 1030,
          overrides: [{ context_type: 'MENU', context_value: 'M1', price: 900 }],
        },
        tax_info: {},
        modifier_group_ids: { ids: ['G1'] },
      },
      { id: 'I2', title: text('Queso'), price_info: { price: 0 }, tax_info: {} },
    ],
    modifier_groups: [
      {
        id: 'G1',
        title: text('Extras'),
        quantity_info: { quantity: { min_permitted: 0, max_permitted: 2 } },
        modifier_options: [{ id: 'I2', type: 'ITEM' }],
      },
    ],
  };
}

/** The same JSON with another value at a path; undefined removes the field. */
function changed(json: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(json)) {
    const copy: unknown[] = [...json];
    copy[Number(step)] = changed(copy[Number(step)], rest, value);
    return copy;
  }
  const fields = new Map(Object.entries(json ?? {}));
  const field = changed(fields.get(String(step)), rest, value);
  if (field === undefined) fields.delete(String(step));
  else fields.set(String(step), field);
  return Object.fromEntries(fields);
}
