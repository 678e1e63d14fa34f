import { validateMenu } from '../../dev/sandbox/app-d/validate-menu';
import { category, group, item, menu, priced, quantity, uses } from './app-c-menus';
import { transformD } from './app-d-menus';

const skus = (entries: readonly { readonly sku: string }[]) => entries.map(({ sku }) => sku);

describe('a menu for App D', () => {
  it('is a list of products in the order of the menu, each with its category and its toppings', () => {
    const { payload, losses } = transformD({
      menus: [menu('M1', ['C2', 'C1'])],
      categories: [category('C1', ['I2']), category('C2', ['I1'])],
      items: [
        item('I1', {
          description: 'With basil',
          image_url: 'https://images.example/1.png',
          data_modifier_groups: [uses('G1')],
        }),
        item('I2', { price: { value: '2500' } }),
        item('I3', { price: { value: '300' } }),
      ],
      modifier_groups: [group('G1', ['I3'])],
    });
    expect(payload).toEqual({
      storeId: '999',
      items: [
        {
          name: 'Item I1',
          description: 'With basil',
          imageUrl: 'https://images.example/1.png',
          sku: 'I1',
          type: 'PRODUCT',
          price: 10,
          sortingPosition: 0,
          category: { id: 'C2', name: 'Category C2', minQty: 0, maxQty: 0, sortingPosition: 0 },
          children: [
            {
              name: 'Item I3',
              description: '',
              sku: 'I3',
              type: 'TOPPING',
              price: 3,
              sortingPosition: 0,
              maxLimit: 2,
              category: { id: 'G1', name: 'Group G1', minQty: 0, maxQty: 2, sortingPosition: 0 },
            },
          ],
        },
        {
          name: 'Item I2',
          description: '',
          sku: 'I2',
          type: 'PRODUCT',
          price: 25,
          sortingPosition: 0,
          category: { id: 'C1', name: 'Category C1', minQty: 0, maxQty: 0, sortingPosition: 1 },
          children: [],
        },
      ],
    });
    expect(losses.map(({ code }) => code)).toEqual(['menu_schedule_ignored']);
    expect(validateMenu(payload)).toEqual([]);
  });

  it('has an item of two categories twice, alike but for the category and the place', () => {
    const { payload, products } = transformD({
      menus: [menu('M1', ['C1', 'C2'])],
      categories: [
        category('C1', ['I1']),
        {
          ...category('C2', ['I2']),
          data_items: [{ item_external_id: 'I2' }, priced('I1', '900')],
        },
      ],
      items: [item('I1'), item('I2')],
    });
    const [first, second, ...others] = products('I1');
    expect(others).toEqual([]);
    expect(first).toMatchObject({ price: 9, sortingPosition: 0, category: { id: 'C1' } });
    expect(second).toMatchObject({ price: 9, sortingPosition: 1, category: { id: 'C2' } });
    expect(validateMenu(payload)).toEqual([]);
  });

  it('leaves out a category without items, and refuses a menu that sells nothing', () => {
    const categories = [category('C1', []), category('C2', ['I1'])];
    const { payload } = transformD({ menus: [menu('M1', ['C1', 'C2'])], categories });
    expect(payload?.items.map((each) => each.category.sortingPosition)).toEqual([0]);
    const empty = transformD({ categories: [category('C1', [])] });
    expect(empty.payload).toBeNull();
    expect(empty.at('limit_exceeded')).toEqual(['/menus/0']);
  });
});

describe('prices for App D', () => {
  it('are whole units, and cents block', () => {
    expect(transformD().products('I1')[0]?.price).toBe(10);
    const { losses } = transformD({ items: [item('I1', { price: { value: '1030' } })] });
    expect(losses[0]).toMatchObject({
      code: 'price_not_representable',
      severity: 'block',
      message: 'The item price has decimals that this delivery does not have: I1',
    });
  });

  it.each([
    ['1030', '10.3'],
    ['5', '0.05'],
    ['110', '1.1'],
    ['999999999999', '9999999999.99'],
  ])('%s is %s as a decimal number', (value, written) => {
    const items = [item('I1', { price: { value } })];
    const { payload, products, at } = transformD({ items, appDPriceUnit: 'decimal' });
    expect(JSON.stringify(products('I1')[0]?.price)).toBe(written);
    expect(at('price_not_representable')).toEqual([]);
    expect(validateMenu(payload, true)).toEqual([]);
  });

  it('block at the group when the option has the price', () => {
    const { at } = transformD({
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [group('G1', [], { data_options: [priced('I2', '150')] })],
    });
    expect(at('price_not_representable')).toEqual(['/modifier_groups/0']);
  });
});

const atMost = (max: number) => ({ item_external_id: 'I2', quantity: quantity(0, max) });

describe('an SKU of App D looks the same everywhere', () => {
  const twoGroups = [
    item('I1', { data_modifier_groups: [uses('G1')] }),
    item('I2', { data_modifier_groups: [uses('G2')] }),
    item('I3'),
  ];
  const both = { categories: [category('C1', ['I1', 'I2'])], items: twoGroups };

  it('an option that costs and permits the same in two groups keeps the POS id', () => {
    const { toppings, at } = transformD({
      ...both,
      modifier_groups: [group('G1', ['I3']), group('G2', ['I3'])],
    });
    expect([...skus(toppings('I1')), ...skus(toppings('I2'))]).toEqual(['I3', 'I3']);
    expect(at('option_cloned')).toEqual([]);
  });

  it.each([
    ['another price', { data_options: [priced('I3', '200')] }],
    ['another maximum', { data_options: [{ item_external_id: 'I3', quantity: quantity(0, 1) }] }],
    [
      'another maximum of the group',
      { quantity: quantity(0, 5), data_options: [priced('I3', '1000')] },
    ],
  ])('an option with %s in the second group is another SKU there', (_, second) => {
    const { payload, toppings, at } = transformD({
      ...both,
      modifier_groups: [group('G1', ['I3']), group('G2', [], second)],
    });
    expect(skus(toppings('I1'))).toEqual(['I3']);
    expect(skus(toppings('I2'))).toEqual(['I3~G2']);
    expect(at('option_cloned')).toEqual(['/items/2']);
    expect(validateMenu(payload)).toEqual([]);
  });

  it('an option that is sold too keeps the POS id where it is sold', () => {
    const { payload, toppings, products, at } = transformD({
      categories: [category('C1', ['I1', 'I2'])],
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')],
      modifier_groups: [group('G1', ['I2'])],
    });
    expect(skus(toppings('I1'))).toEqual(['I2~G1']);
    expect(products('I2')).toHaveLength(1);
    expect(at('option_cloned')).toEqual(['/items/1']);
    expect(validateMenu(payload)).toEqual([]);
  });

  it('an option of two groups of one product stands there once by its POS id', () => {
    const { payload, toppings } = transformD({
      items: [item('I1', { data_modifier_groups: [uses('G1'), uses('G2')] }), item('I2')],
      modifier_groups: [group('G1', ['I2']), group('G2', ['I2'])],
    });
    expect(skus(toppings('I1'))).toEqual(['I2', 'I2~G2']);
    expect(validateMenu(payload)).toEqual([]);
  });

  it('a copy takes no SKU that a POS id has already', () => {
    const { payload, toppings } = transformD({
      categories: [category('C1', ['I1', 'I2', 'I2~G1'])],
      items: [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2'), item('I2~G1')],
      modifier_groups: [group('G1', ['I2'])],
    });
    expect(skus(toppings('I1'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(validateMenu(payload)).toEqual([]);
  });

  it('limits of one item make a copy of the group, and options that permit more there are copies too', () => {
    const { payload, toppings, at } = transformD({
      categories: [category('C1', ['I1', 'I2'])],
      items: [
        item('I1', { data_modifier_groups: [uses('G1')] }),
        item('I2', { data_modifier_groups: [{ ...uses('G1'), quantity: quantity(1, 3) }] }),
        item('I3'),
      ],
      modifier_groups: [group('G1', ['I3'])],
    });
    expect(toppings('I2')).toMatchObject([
      { sku: 'I3~G1~I2', maxLimit: 3, category: { id: 'G1~I2', minQty: 1, maxQty: 3 } },
    ]);
    expect(at('group_quantity_cloned')).toEqual(['/modifier_groups/0']);
    expect(validateMenu(payload)).toEqual([]);
  });

  it('a topping may be taken as often as it says, never more than the group allows', () => {
    const items = [item('I1', { data_modifier_groups: [uses('G1')] }), item('I2')];
    const maxLimit = (max: number) =>
      transformD({
        items,
        modifier_groups: [group('G1', [], { data_options: [atMost(max)] })],
      }).toppings('I1')[0]?.maxLimit;
    expect([1, 2, 9].map(maxLimit)).toEqual([1, 2, 2]);
  });
});
