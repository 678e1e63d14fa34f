import { category, group, item, menu, quantity, transform, uses } from './app-c-menus';

describe('what App C loses', () => {
  it('cuts texts that are too long and tells, once per entity', () => {
    const pizza = '🍕';
    const {
      payload,
      item: wire,
      group: wireGroup,
      losses,
    } = transform({
      menus: [{ ...menu('M1', ['C1']), name: 'm'.repeat(51) }],
      categories: [{ ...category('C1', ['I1', 'I3']), name: 'c'.repeat(101) }],
      items: [
        item('I1', {
          name: pizza.repeat(51),
          description: 'd'.repeat(401),
          data_modifier_groups: [uses('G1')],
        }),
        item('I2'),
        item('I3', { name: pizza.repeat(50), description: 'd'.repeat(400) }),
      ],
      modifier_groups: [group('G1', ['I2'], { name: 'g'.repeat(101) })],
    });
    expect(payload.menus[0]?.menu_name).toBe('m'.repeat(50));
    expect(payload.categories[0]?.category_name).toBe('c'.repeat(100));
    expect(wire('I1').item_name).toBe(pizza.repeat(50));
    expect(wire('I1').short_desc).toBe('d'.repeat(400));
    expect(wireGroup('G1').modifier_group_name).toBe('g'.repeat(100));
    expect(losses.map(({ code, pointer }) => `${code} ${pointer}`).toSorted()).toEqual([
      'text_cut /categories/0',
      'text_cut /items/0',
      'text_cut /menus/0',
      'text_cut /modifier_groups/0',
    ]);
  });

  it('drops descriptions of menus and categories, quantities of options, and unused entities', () => {
    const { losses } = transform({
      menus: [{ ...menu('M1', ['C1']), description: 'Lunch' }],
      categories: [{ ...category('C1', ['I1']), description: 'Warm' }, category('C2', ['I3'])],
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2'), item('I3')],
      modifier_groups: [
        group('G1', [], { data_options: [{ item_external_id: 'I2', quantity: quantity(0, 3) }] }),
        group('G2', ['I2']),
      ],
    });
    expect(losses.map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`)).toEqual([
      'warn description_dropped /menus/0',
      'warn description_dropped /categories/0',
      'warn option_quantity_ignored /modifier_groups/0',
      'info entity_unused /categories/1',
      'info entity_unused /items/2',
      'info entity_unused /modifier_groups/1',
    ]);
  });

  it('refuses every menu after the first', () => {
    const { at } = transform({
      menus: [menu('M1', ['C1']), menu('M2', ['C1']), menu('M3', ['C1'])],
    });
    expect(at('second_menu_refused')).toEqual(['/menus/1', '/menus/2']);
    expect(at('entity_unused')).toEqual([]);
  });

  it("refuses what is over the app's limits, all totals of the menu in one sentence", () => {
    const ids = Array.from({ length: 401 }, (_, index) => `I${index}`);
    const categories = Array.from({ length: 21 }, (_, index) => category(`C${index}`, []));
    const { losses } = transform({
      menus: [
        menu(
          'M1',
          categories.map((each) => each.external_id),
        ),
      ],
      categories: [category('C0', ids), ...categories.slice(1)],
      items: ids.map((id) => item(id)),
    });
    expect(losses).toEqual([
      {
        code: 'limit_exceeded',
        severity: 'block',
        pointer: '/menus/0',
        external_id: 'M1',
        message:
          'The menu is over a limit of this delivery, 21 categories (at most 20), 401 main items (at most 400): M1',
      },
      expect.objectContaining({ code: 'limit_exceeded', pointer: '/categories/0' }),
    ]);
  });

  it('refuses a group id that the app cannot take', () => {
    const long = 'x'.repeat(151);
    const { at } = transform({
      items: [item('I1', { data_modifier_groups: [uses(long)] }), item('I2')],
      modifier_groups: [group(long, ['I2'])],
    });
    expect(at('limit_exceeded')).toEqual(['/modifier_groups/0']);
  });
});
