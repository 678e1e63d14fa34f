import { validateMenu } from '../../dev/sandbox/app-d/validate-menu';
import type { Rule } from '../../dev/sandbox/app-d/violation';

const category = (id: string, min = 0, max = 0) => ({
  id,
  name: `Category ${id}`,
  minQty: min,
  maxQty: max,
  sortingPosition: 0,
});

function topping(sku: string, differences: object = {}) {
  return {
    name: `Topping ${sku}`,
    description: '',
    sku,
    type: 'TOPPING',
    price: 5,
    sortingPosition: 0,
    maxLimit: 1,
    category: category('G1', 0, 2),
    ...differences,
  };
}

function product(sku: string, differences: object = {}) {
  return {
    name: `Product ${sku}`,
    description: 'd',
    sku,
    type: 'PRODUCT',
    price: 100,
    sortingPosition: 0,
    category: category('C1'),
    children: [topping('T1'), topping('T2')],
    ...differences,
  };
}

const menu = (...items: readonly object[]) => ({ storeId: '999', items });
const rulesOf = (body: unknown) => [...new Set(validateMenu(body).map(({ rule }) => rule))];
const many = (count: number, one: (sku: string) => object) =>
  Array.from({ length: count }, (_, index) => one(`X${index}`));
const without = (field: string) => {
  const { [field]: _, ...rest } = product('P1') as Record<string, unknown>;
  return rest;
};

test('a complete menu is accepted, including an item in two categories', () => {
  const twice = product('P1', { category: category('C2') });
  const optional = {
    imageUrl: 'https://images.example/1.png',
    maxLimit: 2,
    combo: true,
    rappiIds: [],
  };
  expect(validateMenu(menu(product('P1'), twice, product('P2', optional)))).toEqual([]);
});

const priced = (price: unknown) => menu(product('P1', { price }));

test('prices have decimals only if the app uses them, at most two', () => {
  expect(rulesOf(priced(10.3))).toEqual(['fields']);
  expect(validateMenu(priced(10.3), true)).toEqual([]);
  expect(validateMenu(priced(10.305), true)).toHaveLength(1);
  expect(rulesOf(priced('100'))).toEqual(['fields']);
});

const broken: readonly (readonly [Rule, string, unknown])[] = [
  ['fields', 'a list', []],
  ['fields', 'no store', { items: [product('P1')] }],
  ['fields', 'a number as store', { ...menu(product('P1')), storeId: 999 }],
  ['fields', 'hours', { ...menu(product('P1')), schedules: [] }],
  ['fields', 'an unknown field', menu(product('P1', { status: 1 }))],
  [
    'fields',
    'a topping without place',
    menu(product('P1', { children: [topping('T1', { sortingPosition: null })] })),
  ],
  ...['name', 'description', 'sku', 'type', 'price', 'category'].map(
    (field) => ['fields', `no ${field}`, menu(product('P0'), without(field))] as const,
  ),
  [
    'invalid_item_depth',
    'a third level',
    menu(product('P1', { children: [topping('T1', { children: [topping('T2')] })] })),
  ],
  ['invalid_item_depth', 'a topping that is sold', menu(topping('T1'))],
  [
    'item_data_conflict',
    'two prices',
    menu(product('P1'), product('P1', { price: 101, category: category('C2') })),
  ],
  [
    'item_data_conflict',
    'two names of a topping',
    menu(product('P1'), product('P2', { children: [topping('T1', { name: 'Other' })] })),
  ],
  [
    'item_data_conflict',
    'two quantities of a topping',
    menu(product('P1'), product('P2', { children: [topping('T1', { maxLimit: 2 })] })),
  ],
  [
    'item_data_conflict',
    'other children',
    menu(product('P1'), product('P1', { children: [], category: category('C2') })),
  ],
  [
    'duplicated_categories_complies',
    'a group with two limits',
    menu(
      product('P1'),
      product('P2', { children: [topping('T1', { category: category('G1', 1, 2) })] }),
    ),
  ],
  [
    'duplicated_categories_complies',
    'two names',
    menu(product('P1'), product('P2', { category: { ...category('C1'), name: 'Other' } })),
  ],
  ['duplicated_items_complies', 'twice in a category', menu(product('P1'), product('P1'))],
  [
    'duplicated_items_complies',
    'a topping in two groups',
    menu(
      product('P1', {
        children: [topping('T1'), topping('T1', { category: category('G2', 0, 2) })],
      }),
    ),
  ],
  [
    'item_relation_complies',
    'a topping that is a product',
    menu(product('P1', { children: [topping('P2')] }), product('P2')),
  ],
  [
    'item_relation_without_cyclic_complies',
    'its own topping',
    menu(product('P1', { children: [topping('P1')] })),
  ],
  ['minimum_items_complies', 'no items', menu()],
  [
    'image_url_complies',
    'plain http',
    menu(product('P1', { imageUrl: 'http://images.example/1.png' })),
  ],
  ['image_url_complies', 'no URL', menu(product('P1', { imageUrl: 'picture' }))],
  ['text_format_complies', 'an emoji in a name', menu(product('P1', { name: 'Pizza 🍕' }))],
  ['text_format_complies', 'an emoji in a description', menu(product('P1', { description: '❤' }))],
  ['text_format_complies', 'an emoji in an SKU', menu(product('P🍕'))],
  [
    'text_format_complies',
    'an emoji in a category',
    menu(product('P1', { category: { ...category('C1'), name: '🇲🇽' } })),
  ],
  ['text_fields_length_complies', 'no name', menu(product('P1', { name: '' }))],
  ['text_fields_length_complies', 'a long name', menu(product('P1', { name: 'n'.repeat(1_001) }))],
  [
    'text_fields_length_complies',
    'a long description',
    menu(product('P1', { description: 'd'.repeat(2_001) })),
  ],
  ['text_fields_length_complies', 'a long SKU', menu(product('s'.repeat(501)))],
  ['positive_numbers_complies', 'a negative price', menu(product('P1', { price: -1 }))],
  [
    'positive_numbers_complies',
    'a group of nothing',
    menu(
      product('P1', { children: [topping('T1', { maxLimit: 0, category: category('G1', 0, 0) })] }),
    ),
  ],
  ['zero_price_complies', 'a free product', menu(product('P1', { price: 0, children: [] }))],
  [
    'zero_price_complies',
    'a free product with nothing but free toppings',
    menu(product('P1', { price: 0, children: [topping('T1', { price: 0 })] })),
  ],
  [
    'min_permitted_complies',
    'a product with a minimum',
    menu(product('P1', { category: category('C1', 1, 1) })),
  ],
  [
    'min_permitted_complies',
    'a minimum above the maximum',
    menu(product('P1', { children: [topping('T1', { category: category('G1', 3, 2) })] })),
  ],
  [
    'max_permitted_in_items_complies',
    'a topping above its group',
    menu(product('P1', { children: [topping('T1', { maxLimit: 3 })] })),
  ],
  [
    'max_permitted_in_items_complies',
    'a group above its product',
    menu(product('P1', { maxLimit: 1 })),
  ],
  ['max_items_category_complies', '51 products', menu(...many(51, product))],
  [
    'max_item_childs_complies',
    '51 toppings in two groups',
    menu(
      product('P1', {
        children: many(51, (sku) =>
          topping(sku, { category: category(sku < 'X3' ? 'G1' : 'G2', 0, 2) }),
        ),
      }),
    ),
  ],
];

test.each(broken)('%s: %s is refused', (rule, _, body) => {
  expect(rulesOf(body)).toContain(rule);
});

test('50 of everything are accepted', () => {
  const full = product('P', { children: many(50, topping) });
  expect(validateMenu(menu(full, ...many(49, (sku) => product(`P${sku}`))))).toEqual([]);
});
