import { category, group, item, quantity, transform, uses } from './app-c-menus';

describe('modifier groups in App C', () => {
  it.each([
    [0, 1, { buy_mode: 0, is_required: 2 }],
    [1, 1, { buy_mode: 0, is_required: 1 }],
    [0, 5, { buy_mode: 1, is_required: 2 }],
    [2, 5, { buy_mode: 1, is_required: 1 }],
  ])('of %i to %i options', (min, max, expected) => {
    const { group: wire } = transform({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [group('G1', ['I2'], { quantity: quantity(min, max) })],
    });
    expect(wire('G1')).toMatchObject({
      ...expected,
      quantity_min_permitted: min,
      quantity_max_permitted: max,
    });
  });

  it.each([
    ['each option at most once', 0, 3, ['1', '1'], 0],
    ['one option several times', 0, 3, ['1', '2'], 1],
    ['an option without a maximum', 0, 3, ['1', undefined], 1],
    ['more than there are options', 3, 3, ['1', '1'], 1],
  ])('that allow %s', (_, min, max, maxima, buyMode) => {
    const options = maxima.map((max_quantity, position) => ({
      item_external_id: `O${position}`,
      ...(max_quantity !== undefined && { quantity: { min_quantity: '0', max_quantity } }),
    }));
    const { group: wire } = transform({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('O0'), item('O1')],
      modifier_groups: [
        { ...group('G1', [], { quantity: quantity(min, max) }), data_options: options },
      ],
    });
    expect(wire('G1').buy_mode).toBe(buyMode);
  });

  it('count of a repeated option only the first, for the buy mode too', () => {
    const once = { item_external_id: 'O0', quantity: { min_quantity: '0', max_quantity: '1' } };
    const repeated = { ...once, quantity: { min_quantity: '0', max_quantity: '2' } };
    const { group: wire } = transform({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('O0')],
      modifier_groups: [{ ...group('G1', []), data_options: [once, repeated] }],
    });
    expect(wire('G1')).toMatchObject({ buy_mode: 0, app_mg_items: [{ app_item_id: 'O0' }] });
  });

  it('are copied for an item with limits of its own, and only then', () => {
    const {
      payload,
      item: wire,
      group: wireGroup,
      at,
    } = transform({
      categories: [category('C1', ['I1', 'I2', 'I3'])],
      items: [
        item('I1', { data_modifier_groups: [uses('G1')] }),
        item('I2', { data_modifier_groups: [{ ...uses('G1'), quantity: quantity(1, 3) }] }),
        item('I3', { data_modifier_groups: [{ ...uses('G1'), quantity: quantity(0, 2) }] }),
        item('I4'),
      ],
      modifier_groups: [group('G1', ['I4'])],
    });
    expect(wire('I1').app_modifier_group_ids).toEqual(['G1']);
    expect(wire('I2').app_modifier_group_ids).toEqual(['G1~I2']);
    expect(wire('I3').app_modifier_group_ids).toEqual(['G1']);
    expect(wireGroup('G1').app_external_id).toBeUndefined();
    expect(wireGroup('G1~I2')).toMatchObject({
      app_external_id: 'G1',
      is_required: 1,
      quantity_min_permitted: 1,
      quantity_max_permitted: 3,
      app_mg_items: wireGroup('G1').app_mg_items,
    });
    expect(payload.modifier_groups).toHaveLength(2);
    expect(at('group_quantity_cloned')).toEqual(['/modifier_groups/0']);
  });

  it('leave out an original that only copies refer to', () => {
    const { payload } = transform({
      items: [
        item('I1', { data_modifier_groups: [{ ...uses('G1'), quantity: quantity(1, 3) }] }),
        item('I2'),
      ],
      modifier_groups: [group('G1', ['I2'])],
    });
    expect(payload.modifier_groups.map((each) => each.app_modifier_group_id)).toEqual(['G1~I1']);
  });

  it('get copies with unique ids if POS ids contain the separator or are long', () => {
    const own = { quantity: quantity(1, 3) };
    const long = 'x'.repeat(149);
    const { payload, item: wire } = transform({
      categories: [category('C1', ['b~c', 'c', 'I1'])],
      items: [
        item('b~c', { data_modifier_groups: [{ ...uses('a'), ...own }] }),
        item('c', { data_modifier_groups: [{ ...uses('a~b'), ...own }] }),
        item('I1', {
          data_modifier_groups: [
            { ...uses('a'), ...own },
            { ...uses(long), ...own },
          ],
        }),
        item('O'),
      ],
      modifier_groups: [
        group('a', ['O']),
        group('a~b', ['O']),
        group(long, ['O']),
        group('a~I1', ['O']),
      ],
    });
    const ids = payload.modifier_groups.map((each) => each.app_modifier_group_id);
    expect(new Set(ids).size).toBe(4);
    expect(ids).not.toContain('a~I1');
    expect(ids.every((id) => id.length <= 150)).toBe(true);
    expect(wire('b~c').app_modifier_group_ids).not.toEqual(wire('c').app_modifier_group_ids);
  });
});
