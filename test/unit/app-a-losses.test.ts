import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import type { Menu } from '../../src/menus/menu';
import { category, group, item, itemOf, menu, quantity, STORE, transform } from './app-a-menus';

const week: Menu['schedules'] = (['monday', 'friday'] as const).map((day_of_week) => ({
  day_of_week,
  periods: [{ start: '09:00', end: '22:00' }],
}));

describe('the losses of App A', () => {
  it('is one loss per entity and code', () => {
    const promoted = { value: '1000', promotion_value: '900' };
    const sundays = week.map((day) => ({ ...day, day_of_week: 'sunday' as const })).slice(1);
    const { losses } = transform({
      categories: [
        category('C1', [
          { item_external_id: 'I1', price: promoted },
          { item_external_id: 'I1', price: promoted },
        ]),
      ],
      items: [
        { ...item('I1', '1000', ['G1']), price: promoted, schedules: sundays },
        { ...item('I2', '1000'), schedules: [] },
      ],
      modifier_groups: [group('G1', [{ item_external_id: 'I2', price: promoted }])],
    });
    expect(losses.map(({ code, severity, pointer }) => [code, severity, pointer])).toEqual([
      ['item_schedule_ignored', 'warn', '/items/0'],
      ['promotion_price_ignored', 'warn', '/categories/0'],
      ['promotion_price_ignored', 'warn', '/items/0'],
      ['promotion_price_ignored', 'warn', '/modifier_groups/0'],
    ]);
  });

  it("do not include an item's hours that equal its menus', in whatever order", () => {
    const { losses } = transform({
      menus: [{ ...menu('M1', ['C1']), schedules: week.toReversed() }],
      items: [{ ...item('I1', '1000'), schedules: week }],
    });
    expect(losses).toEqual([]);
  });

  it('block prices that the currency has no coin for, wherever they are', () => {
    const { losses } = transform({
      categories: [category('C1', [{ item_external_id: 'I1', price: { value: '120050' } }])],
      items: [item('I1', '1200000', ['G1']), item('I2', '100')],
      modifier_groups: [group('G1', [{ item_external_id: 'I2', price: { value: '199' } }])],
      priceUnit: 'lowest',
      store: { ...STORE, currencyExponent: 0 },
    });
    expect(losses).toMatchObject([
      { code: 'price_not_representable', severity: 'block', pointer: '/categories/0' },
      { code: 'price_not_representable', severity: 'block', pointer: '/modifier_groups/0' },
    ]);
  });

  it.each([
    ['hundredth', 1_200_000],
    ['lowest', 12_000],
  ] as const)('use the %s unit of a currency without decimals: %i', (priceUnit, price) => {
    const { payload, losses } = transform({
      items: [item('I1', '1200000')],
      priceUnit,
      store: { ...STORE, currencyExponent: 0 },
    });
    expect(itemOf(payload, 'I1')).toMatchObject({ price_info: { price } });
    expect(losses).toEqual([]);
  });

  it.each(['a/b', 'a;b'])('warn of the item id %s, which is sent unchanged', (id) => {
    const { payload, losses } = transform({
      categories: [category('C1', [{ item_external_id: id }])],
      items: [item(id, '1000')],
    });
    expect(itemOf(payload, id)).toMatchObject({ id });
    expect(losses).toMatchObject([{ code: 'id_unsafe', severity: 'warn', external_id: id }]);
  });

  it('quote the ids of repeated references, so that none breaks or turns the sentence', () => {
    const [groupId, itemId] = ['G\n1', 'I\u202e2'];
    const { losses } = transform({
      items: [
        {
          ...item('I1', '1000'),
          data_modifier_groups: [
            { modifier_group_external_id: groupId },
            { modifier_group_external_id: groupId, quantity: quantity('0', '9') },
          ],
        },
        item(itemId, '100'),
      ],
      modifier_groups: [
        group(groupId, [
          { item_external_id: itemId },
          { item_external_id: itemId, price: { value: '11' } },
        ]),
      ],
    });
    const repeats = 'refers to one entity several times and the first is used';
    expect(losses.map(({ message }) => message)).toEqual([
      `The item ${repeats}, modifier group G\\u000a1: I1`,
      `The modifier group ${repeats}, item I\\u202e2: G\\u000a1`,
    ]);
  });

  it('name a repeated reference with different values, but no plain repeat', () => {
    const { losses } = transform({
      items: [
        {
          ...item('I1', '1000'),
          data_modifier_groups: [
            { modifier_group_external_id: 'G1' },
            { modifier_group_external_id: 'G1' },
            { modifier_group_external_id: 'G2' },
            {
              modifier_group_external_id: 'G2',
              quantity: { min_quantity: '0', max_quantity: '9' },
            },
          ],
        },
        item('I2', '100'),
      ],
      modifier_groups: [
        group('G1', [{ item_external_id: 'I2' }, { item_external_id: 'I2' }]),
        group('G2', [
          { item_external_id: 'I2', price: { value: '10' } },
          { item_external_id: 'I2', price: { value: '010' } },
          { item_external_id: 'I2', price: { value: '11' } },
        ]),
      ],
    });
    expect(losses.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['repeated_reference_dropped', '/items/0'],
      ['repeated_reference_dropped', '/modifier_groups/1'],
    ]);
  });

  it('leave nothing that could be sold at a wrong price when a price is blocked', () => {
    const { payload } = transform({
      items: [item('I1', '1250')],
      priceUnit: 'lowest',
      store: { ...STORE, currencyExponent: 0 },
    });
    const sent: unknown = JSON.parse(JSON.stringify(payload));
    expect(firstBrokenRule(sent)).toMatch(/^Invalid Price Info: item I1/);
  });

  it('block prices above the maximum of the market, if there is one', () => {
    const dear = { items: [item('I1', '37501')] };
    expect(transform(dear).losses).toEqual([]);
    expect(transform({ ...dear, maximumPrice: 37_501 }).losses).toEqual([]);
    expect(transform({ ...dear, maximumPrice: 37_500 }).losses).toMatchObject([
      { code: 'price_over_maximum', severity: 'block', external_id: 'I1' },
    ]);
  });

  it('include images that are bad or not served over SSL, and the item keeps its place', () => {
    const url = 'https://images.example/a.gif';
    const { payload, losses } = transform({
      categories: [
        category('C1', [
          { item_external_id: 'I1' },
          { item_external_id: 'I2' },
          { item_external_id: 'I3' },
          { item_external_id: 'I4' },
        ]),
      ],
      items: [
        { ...item('I1', '1000'), image_url: 'http://images.example/a.png' },
        { ...item('I2', '1000'), image_url: url },
        { ...item('I3', '1000'), image_url: 'https://images.example/b.png' },
        { ...item('I4', '1000'), image_url: 'https://images.example/c.png' },
      ],
      badImages: new Map([
        [url, 'wrong_size'],
        ['https://images.example/c.png', 'not_checked'],
      ]),
    });
    expect(itemOf(payload, 'I1')).not.toHaveProperty('image_url');
    expect(itemOf(payload, 'I2')).not.toHaveProperty('image_url');
    expect(itemOf(payload, 'I3')).toHaveProperty('image_url', 'https://images.example/b.png');
    expect(itemOf(payload, 'I4')).not.toHaveProperty('image_url');
    expect(losses).toEqual([
      {
        code: 'image_out_of_rules',
        severity: 'warn',
        pointer: '/items/0',
        external_id: 'I1',
        message: 'The item image must be served over SSL: I1',
      },
      expect.objectContaining({
        code: 'image_out_of_rules',
        pointer: '/items/1',
        message: 'The item image must be between 320 and 1144 pixels wide and high: I2',
      }),
      {
        code: 'image_not_checked',
        severity: 'warn',
        pointer: '/items/3',
        external_id: 'I4',
        message: 'The item image could not be checked: I4',
      },
    ]);
  });

  it('name the menu and the periods that are too short, and a menu without any', () => {
    const { losses } = transform({
      menus: [
        {
          ...menu('M1', ['C1']),
          schedules: [
            { day_of_week: 'monday', periods: [{ start: '10:00', end: '10:30' }] },
            { day_of_week: 'friday', periods: [{ start: '10:00', end: '10:58' }] },
          ],
        },
        {
          ...menu('M2', ['C1']),
          schedules: [{ day_of_week: 'monday', periods: [] }],
        },
      ],
    });
    expect(losses).toMatchObject([
      { code: 'short_hours', severity: 'block', pointer: '/menus/0', external_id: 'M1' },
      { code: 'no_hours', severity: 'block', pointer: '/menus/1', external_id: 'M2' },
    ]);
    expect(losses[0]?.message).toContain('monday 10:00-10:30, friday 10:00-10:58');
  });
});
