import { transformForAppA } from '../../src/delivery-apps/app-a/transform';
import type { MenuDocument } from '../../src/menus/menu';
import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import {
  allWeek,
  category,
  group,
  item,
  itemOf,
  menu,
  quantity,
  STORE,
  transform,
} from './app-a-menus';

describe('the menu that App A gets', () => {
  it('has every price once, plus one override per menu and group where it differs', () => {
    const { payload, losses } = transform({
      menus: [menu('M1', ['C1']), menu('M2', ['C2']), menu('M3', ['C3'])],
      categories: [
        category('C1', [{ item_external_id: 'COLA', price: { value: '900' } }]),
        category('C2', [{ item_external_id: 'COLA', price: { value: '0800' } }]),
        category('C3', [{ item_external_id: 'COLA' }, { item_external_id: 'PIZZA' }]),
      ],
      items: [item('COLA', '1000'), item('PIZZA', '5000', ['G1', 'G2'])],
      modifier_groups: [
        group('G1', [{ item_external_id: 'COLA', price: { value: '500' } }]),
        group('G2', [{ item_external_id: 'COLA', price: { value: '600' } }]),
      ],
    });

    expect(itemOf(payload, 'COLA')).toMatchObject({
      price_info: {
        price: 1000,
        overrides: [
          { context_type: 'MENU', context_value: 'M1', price: 900 },
          { context_type: 'MENU', context_value: 'M2', price: 800 },
          { context_type: 'MODIFIER_GROUP', context_value: 'G1', price: 500 },
          { context_type: 'MODIFIER_GROUP', context_value: 'G2', price: 600 },
        ],
      },
    });
    expect(losses).toEqual([]);
    expect(firstBrokenRule(payload)).toBeNull();
  });

  it('has no override where a menu repeats the price of the item', () => {
    const { payload } = transform({
      categories: [category('C1', [{ item_external_id: 'I1', price: { value: '1000' } }])],
    });
    expect(itemOf(payload, 'I1')).toMatchObject({ price_info: { price: 1000 } });
    expect(itemOf(payload, 'I1')).not.toHaveProperty('price_info.overrides');
  });

  it('uses the first price found in a menu and reports an item with another', () => {
    const { payload, losses } = transform({
      menus: [menu('M1', ['C2', 'C1'])],
      categories: [
        category('C1', [{ item_external_id: 'I1', price: { value: '700' } }]),
        category('C2', [
          { item_external_id: 'I1' },
          { item_external_id: 'I1', price: { value: '800' } },
        ]),
      ],
    });
    expect(itemOf(payload, 'I1')).toHaveProperty('price_info.overrides', [
      { context_type: 'MENU', context_value: 'M1', price: 800 },
    ]);
    expect(losses).toMatchObject([
      { code: 'item_price_conflict_in_menu', severity: 'warn', pointer: '/items/0' },
    ]);
  });

  it("keeps an option's price independent of the item's price in a menu", () => {
    const { payload } = transform({
      categories: [
        category('C1', [
          { item_external_id: 'COLA', price: { value: '900' } },
          { item_external_id: 'PIZZA' },
        ]),
      ],
      items: [item('COLA', '1000'), item('PIZZA', '5000', ['G1'])],
      modifier_groups: [group('G1', [{ item_external_id: 'COLA' }])],
    });
    expect(itemOf(payload, 'COLA')).toHaveProperty('price_info.overrides', [
      { context_type: 'MENU', context_value: 'M1', price: 900 },
      { context_type: 'MODIFIER_GROUP', context_value: 'G1', price: 1000 },
    ]);
  });

  it('never repeats a context: if an option is in a group twice, the first wins', () => {
    const { payload } = transform({
      categories: [category('C1', [{ item_external_id: 'PIZZA' }])],
      items: [item('COLA', '1000'), item('PIZZA', '5000', ['G1', 'G1'])],
      modifier_groups: [
        group('G1', [
          { item_external_id: 'COLA', price: { value: '500' }, quantity: quantity('0', '2') },
          { item_external_id: 'COLA', price: { value: '600' }, quantity: quantity('0', '3') },
        ]),
      ],
    });
    const context = { context_type: 'MODIFIER_GROUP', context_value: 'G1' };
    expect(itemOf(payload, 'COLA')).toMatchObject({
      price_info: { price: 1000, overrides: [{ ...context, price: 500 }] },
      quantity_info: {
        overrides: [{ ...context, quantity: { min_permitted: 0, max_permitted: 2 } }],
      },
    });
    expect(itemOf(payload, 'PIZZA')).toHaveProperty('modifier_group_ids', { ids: ['G1'] });
    expect(payload).toHaveProperty('modifier_groups.0.modifier_options', [
      { id: 'COLA', type: 'ITEM' },
    ]);
    expect(firstBrokenRule(payload)).toBeNull();
  });

  it('has the exact limits of a group, and those of single items as overrides', () => {
    const { payload } = transform({
      categories: [category('C1', [{ item_external_id: 'I1' }, { item_external_id: 'I2' }])],
      items: [
        {
          ...item('I1', '1000'),
          data_modifier_groups: [
            { modifier_group_external_id: 'G1', quantity: quantity('1', '3') },
            { modifier_group_external_id: 'G1', quantity: quantity('2', '4') },
          ],
        },
        item('I2', '1000', ['G1']),
        item('I3', '100'),
      ],
      modifier_groups: [
        { ...group('G1', [{ item_external_id: 'I3' }]), quantity: quantity('0', '12') },
      ],
    });
    expect(payload).toHaveProperty('modifier_groups.0.quantity_info', {
      quantity: { min_permitted: 0, max_permitted: 12 },
      overrides: [
        {
          context_type: 'ITEM',
          context_value: 'I1',
          quantity: { min_permitted: 1, max_permitted: 3 },
        },
      ],
    });
  });

  it("writes every text in the store's locale, and no empty text", () => {
    const { payload } = transform({
      menus: [{ ...menu('M1', ['C1']), name: 'Menú', description: null }],
      categories: [{ ...category('C1', [{ item_external_id: 'I1' }]), description: 'Hot' }],
      items: [{ ...item('I1', '1000'), description: '' }],
    });
    expect(payload).toMatchObject({
      menus: [{ title: { translations: { es_mx: 'Menú' } } }],
      categories: [{ subtitle: { translations: { es_mx: 'Hot' } } }],
    });
    expect(payload).not.toHaveProperty('menus.0.subtitle');
    expect(payload).not.toHaveProperty('items.0.description');
  });

  it('leaves out unreachable entities, with one loss each and none about their contents', () => {
    const { payload, losses } = transform({
      categories: [
        category('C1', [{ item_external_id: 'I1' }]),
        category('C9', [{ item_external_id: 'I9' }]),
      ],
      items: [item('I1', '1000'), { ...item('I9', '1001', ['G9']), schedules: allWeek() }],
      modifier_groups: [group('G9', [{ item_external_id: 'I1', price: { value: '1' } }])],
      store: { ...STORE, currencyExponent: 0 },
    });
    expect(itemOf(payload, 'I1')).toMatchObject({ price_info: { price: 1000 } });
    expect(itemOf(payload, 'I1')).not.toHaveProperty('price_info.overrides');
    expect(payload).toMatchObject({ modifier_groups: [] });
    expect(losses.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['entity_unused', '/categories/1'],
      ['entity_unused', '/items/1'],
      ['entity_unused', '/modifier_groups/0'],
    ]);
  });
});

it('writes the largest menu in time proportional to its size', () => {
  const document = largeMenu(10_000);
  const { user } = process.cpuUsage();
  transformForAppA({ menu: document, store: STORE });
  // Quadratic work on 10,000 items takes minutes; this takes tens of milliseconds.
  expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(4_000);
});

function largeMenu(count: number): MenuDocument {
  const ids = Array.from({ length: count }, (_, index) => `I${index}`);
  const groupIds = Array.from({ length: count / 20 }, (_, index) => `G${index}`);
  const price = { value: '500' };
  return {
    menus: [menu('M1', ['C1']), menu('M2', ['C1'])],
    categories: [
      category(
        'C1',
        ids.map((id) => ({ item_external_id: id, price })),
      ),
    ],
    items: ids.map((id, index) => item(id, '1000', [groupIds[index % groupIds.length] ?? 'G0'])),
    modifier_groups: groupIds.map((id, index) =>
      group(
        id,
        ids.slice(index * 20, index * 20 + 20).map((one) => ({ item_external_id: one })),
      ),
    ),
  };
}
