import { category, group, item, menu, priced, transform, uses } from './app-c-menus';

describe('prices in App C', () => {
  it('come from the first data item of the menu that has one, and from the item as an option', () => {
    const {
      item: wire,
      group: wireGroup,
      at,
    } = transform({
      menus: [menu('M1', ['C1', 'C2'])],
      categories: [
        { ...category('C1', []), data_items: [{ item_external_id: 'I1' }, priced('I2', '700')] },
        { ...category('C2', []), data_items: [priced('I1', '900'), priced('I1', '901')] },
      ],
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [
        group('G1', [], { data_options: [priced('I2', '300'), priced('I2', '400')] }),
      ],
    });
    expect(wire('I1').price).toBe(900);
    expect(wire('I2').price).toBe(700);
    expect(wireGroup('G1').app_mg_items).toEqual([{ app_item_id: 'I2', price: 300 }]);
    expect(at('item_price_conflict_in_menu')).toEqual(['/items/0']);
  });

  it("do not let a sold item's price in the menu reach the same item as an option", () => {
    const { group: wireGroup } = transform({
      categories: [
        { ...category('C1', []), data_items: [{ item_external_id: 'I1' }, priced('I2', '700')] },
      ],
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [group('G1', ['I2'])],
    });
    expect(wireGroup('G1').app_mg_items).toEqual([{ app_item_id: 'I2', price: 1000 }]);
  });

  it.each([
    ['10000', '9900', 9900],
    ['10000', '9901', undefined],
    ['10000', '10000', undefined],
    ['10000', '20000', undefined],
    ['101', '99', 99],
    ['101', '100', undefined],
    ['1', '1', undefined],
    ['999999999999', '989999999999', 989999999999],
  ])('%s reduced to %s: the promotion price is %s', (value, promotion, activity) => {
    const price = { value, promotion_value: promotion };
    const { item: wire, at } = transform({ items: [item('I1', { price })] });
    expect(wire('I1').activity_price).toBe(activity);
    expect(at('promotion_price_invalid')).toEqual(activity === undefined ? ['/items/0'] : []);
  });

  it('replace regular and promotion price together', () => {
    const { item: wire } = transform({
      categories: [{ ...category('C1', []), data_items: [priced('I1', '800')] }],
      items: [item('I1', { price: { value: '1000', promotion_value: '500' } })],
    });
    expect(wire('I1')).toMatchObject({ price: 800 });
    expect(wire('I1').activity_price).toBeUndefined();
  });

  it('have no promotion on options, which is reported', () => {
    const promoted = { value: '300', promotion_value: '100' };
    const { payload, at } = transform({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2', { price: promoted })],
      modifier_groups: [
        group('G1', [], { data_options: [{ item_external_id: 'I2', price: promoted }] }),
      ],
    });
    expect(JSON.stringify(payload)).not.toContain('activity_price');
    expect(at('promotion_price_ignored')).toEqual(['/items/1', '/modifier_groups/0']);
  });

  it('block where the currency has no coin for them, promotions and options included', () => {
    const { at, losses } = transform({
      store: { appStoreId: 'shop-1', currencyExponent: 0, locale: 'es_cl' },
      categories: [category('C1', ['I1', 'I2', 'I3'])],
      items: [
        item('I1', { price: { value: '1200000' }, data_modifier_groups: [uses('G1')] }),
        item('I2', { price: { value: '1250' } }),
        item('I3', { price: { value: '100000', promotion_value: '50050' } }),
        item('I4', { price: { value: '100' } }),
      ],
      modifier_groups: [group('G1', [], { data_options: [priced('I4', '150')] })],
    });
    expect(at('price_not_representable')).toEqual(['/items/1', '/items/2', '/modifier_groups/0']);
    expect(losses.every(({ severity }) => severity === 'block')).toBe(true);
  });

  it('are whole units of a currency without decimals', () => {
    const { item: wire } = transform({
      store: { appStoreId: 'shop-1', currencyExponent: 0, locale: 'es_cl' },
      items: [item('I1', { price: { value: '1200000', promotion_value: '1000000' } })],
    });
    expect(wire('I1')).toMatchObject({ price: 12_000, activity_price: 10_000 });
  });
});
