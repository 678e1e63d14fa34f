import { category, group, item, menu, on, quantity, transform, uses } from './app-c-menus';

describe('what App C shows of a menu', () => {
  it('keeps the order of the menu and sells each item in the first category that has it', () => {
    const { payload, at } = transform({
      menus: [menu('M1', ['C2', 'C1', 'C2'])],
      categories: [category('C1', ['I1']), category('C2', ['I2', 'I1', 'I2'])],
      items: [item('I1'), item('I2')],
    });
    expect(payload.menus).toEqual([
      { app_menu_id: 'M1', menu_name: 'Menu M1', app_category_ids: ['C2', 'C1'] },
    ]);
    expect(payload.categories.map((each) => each.app_item_ids)).toEqual([['I2', 'I1'], []]);
    expect(at('item_category_dropped')).toEqual(['/items/0']);
    expect(payload.items.map((each) => each.is_sold_separately)).toEqual([true, true]);
  });

  it('puts items that are only options into an extra last category, without hours', () => {
    const { payload, item: wire } = transform({
      items: [item('I2'), item('I1', { data_modifier_groups: [uses('G1')] })],
      modifier_groups: [group('G1', ['I2'])],
    });
    expect(payload.categories.at(-1)).toEqual({
      app_category_id: 'options',
      category_name: 'Options',
      app_item_ids: ['I2'],
    });
    expect(payload.menus[0]?.app_category_ids).toEqual(['C1', 'options']);
    expect(wire('I2')).toEqual({
      app_item_id: 'I2',
      item_name: 'Item I2',
      price: 1000,
      status: 1,
      is_sold_separately: false,
    });
  });

  it('gives the extra category an id that no category of the menu has', () => {
    const { payload } = transform({
      menus: [menu('M1', ['options', 'options~2'])],
      categories: [category('options', ['I1']), category('options~2', [])],
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [group('G1', ['I2'])],
    });
    expect(payload.menus[0]?.app_category_ids).toEqual(['options', 'options~2', 'options~3']);
  });

  it('makes further extra categories where one cannot take all options', () => {
    const options = Array.from({ length: 301 }, (_, index) => item(`O${index}`));
    const { payload, losses } = transform({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), ...options],
      modifier_groups: [
        group(
          'G1',
          options.map((option) => option.external_id),
        ),
      ],
    });
    const sizes = payload.categories.map((each) => each.app_item_ids.length);
    expect(sizes).toEqual([1, 300, 1]);
    expect(new Set(payload.menus[0]?.app_category_ids).size).toBe(3);
    expect(losses).toEqual([]);
  });

  it('carries options of options where the app takes several levels', () => {
    const { item: wire, losses } = transform({
      levels: 2,
      items: [
        item('I1', { data_modifier_groups: [uses('G1')] }),
        item('I2', { data_modifier_groups: [uses('G2')] }),
        item('I3'),
      ],
      modifier_groups: [group('G1', ['I2']), group('G2', ['I3'])],
    });
    expect(wire('I2').app_modifier_group_ids).toEqual(['G2']);
    expect(wire('I3').is_sold_separately).toBe(false);
    expect(losses).toEqual([]);
  });

  it('leaves an option without its own groups where the app takes one level, and what only they offer', () => {
    const {
      payload,
      item: wire,
      at,
    } = transform({
      items: [
        item('I1', { data_modifier_groups: [uses('G1')] }),
        item('I2', { data_modifier_groups: [uses('G2')] }),
        item('I3'),
      ],
      modifier_groups: [group('G1', ['I2']), group('G2', ['I3'])],
    });
    expect(wire('I2')).not.toHaveProperty('app_modifier_group_ids');
    expect(payload.items.map((each) => each.app_item_id)).toEqual(['I1', 'I2']);
    expect(at('nested_groups_dropped')).toEqual(['/items/1']);
    expect(at('entity_unused')).toEqual([]);
  });

  it('copies an item for the groups that offer it where it is sold with groups of its own', () => {
    const {
      payload,
      item: wire,
      group: wireGroup,
      at,
    } = transform({
      categories: [category('C1', ['I1', 'I2'])],
      items: [
        item('I1', { data_modifier_groups: [uses('G1')] }),
        item('I2', {
          price: { value: '1000', promotion_value: '900' },
          data_modifier_groups: [uses('G2')],
        }),
        item('I3'),
      ],
      modifier_groups: [group('G1', ['I2']), group('G2', ['I3'])],
    });
    expect(wire('I2')).toMatchObject({
      is_sold_separately: true,
      activity_price: 900,
      app_modifier_group_ids: ['G2'],
    });
    expect(wire('I2~option')).toMatchObject({ app_external_id: 'I2', is_sold_separately: false });
    expect(wire('I2~option')).not.toHaveProperty('app_modifier_group_ids');
    expect(wire('I2~option')).not.toHaveProperty('activity_price');
    expect(wireGroup('G1').app_mg_items).toEqual([{ app_item_id: 'I2~option', price: 1000 }]);
    expect(payload.categories.at(-1)?.app_item_ids).toEqual(['I2~option', 'I3']);
    expect(at('option_cloned')).toEqual(['/items/1']);
    // The item has its promotion where it is sold, and none where it is an option.
    expect(at('promotion_price_ignored')).toEqual(['/items/1']);
  });

  it.each([
    ['menu', { menus: [menu('x'.repeat(151), ['C1'])] }, '/menus/0'],
    [
      'category',
      { menus: [menu('M1', ['x'.repeat(151)])], categories: [category('x'.repeat(151), ['I1'])] },
      '/categories/0',
    ],
    [
      'item',
      { categories: [category('C1', ['x'.repeat(151)])], items: [item('x'.repeat(151))] },
      '/items/0',
    ],
  ])('blocks a %s with an id of 151 characters', (_, lists, pointer) => {
    expect(transform(lists).at('limit_exceeded')).toEqual([pointer]);
  });

  it('blocks a store in Japan, where the app wants a tax rate for each item', () => {
    const { payload, at } = transform({
      store: { appStoreId: 'shop-1', currencyExponent: 0, locale: 'ja_jp' },
    });
    expect(payload).toBeNull();
    expect(at('limit_exceeded')).toEqual(['/menus/0']);
  });

  it('leaves out empty fields, and an image only when it is not https or known to be bad', () => {
    const badImages = new Map([['https://img.example/bad.png', 'too_large' as const]]);
    const { item: wire, at } = transform({
      categories: [category('C1', ['I1', 'I2', 'I3', 'I4'])],
      items: [
        item('I1', { description: null, image_url: null }),
        item('I2', { description: 'Tasty', image_url: 'https://img.example/good.png' }),
        item('I3', { image_url: 'http://img.example/good.png' }),
        item('I4', { image_url: 'https://img.example/bad.png' }),
      ],
      badImages,
    });
    expect(Object.keys(wire('I1'))).not.toEqual(expect.arrayContaining(['short_desc']));
    expect(wire('I2')).toMatchObject({
      short_desc: 'Tasty',
      head_img: 'https://img.example/good.png',
    });
    expect(wire('I3').head_img).toBeUndefined();
    expect(wire('I4').head_img).toBeUndefined();
    expect(at('image_out_of_rules')).toEqual(['/items/2', '/items/3']);
  });
});

describe('hours in App C', () => {
  const schedules = [
    on('tuesday', '18:00-22:00'),
    on('sunday', '10:00-15:00'),
    on('monday', '10:00-15:00'),
    on('tuesday', '09:00-12:00'),
  ];

  it('stand on each sold item, days with equal periods together, closed days nowhere', () => {
    const { item: wire } = transform({ menus: [{ ...menu('M1', ['C1']), schedules }] });
    expect(wire('I1').sold_info_intl).toEqual([
      { time: [{ begin: '10:00', end: '15:00' }], day: [1, 7] },
      {
        time: [
          { begin: '09:00', end: '12:00' },
          { begin: '18:00', end: '22:00' },
        ],
        day: [2],
      },
    ]);
  });

  it("are the item's own where it has any, and the menu's where its list is empty", () => {
    const { item: wire } = transform({
      categories: [category('C1', ['I1', 'I2'])],
      items: [
        item('I1', { schedules: [on('friday', '20:00-23:59')] }),
        item('I2', { schedules: [] }),
      ],
    });
    expect(wire('I1').sold_info_intl).toEqual([
      { time: [{ begin: '20:00', end: '23:59' }], day: [5] },
    ]);
    expect(wire('I2').sold_info_intl).toEqual([
      { time: [{ begin: '09:00', end: '22:00' }], day: [1] },
    ]);
  });
});

describe('the transform of App C', () => {
  it('takes time in proportion to the menu, also where every item has limits of its own', () => {
    const count = 10_000;
    const groupIds = Array.from({ length: 10 }, (_, index) => `G${index}`);
    const own = { quantity: quantity(1, 3) };
    const ids = Array.from({ length: count }, (_, index) => `I${index}`);
    const started = performance.now();
    transform({
      categories: [category('C1', ids)],
      items: ids.map((id) =>
        item(id, {
          data_modifier_groups: groupIds.map((groupId) => ({ ...uses(groupId), ...own })),
        }),
      ),
      modifier_groups: groupIds.map((groupId) => group(groupId, ids.slice(0, 500))),
    });
    // 100,000 copies take about 0.3 s; anything quadratic takes minutes.
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
