import { applyChanges } from '../../src/menus/rules/example-changes';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { ALL_MENU_RULES } from '../../src/menus/rules/menu-rules';
import type { MenuRule } from '../../src/menus/rules/rule';
import { startWorld, type World } from './world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const CHANGES = '/menus/changes';
const LONG_ID = 'x'.repeat(256);
const PRICE = { price: { value: '1130' } };

function change(body: object, headers = {}) {
  return world.owner.post(CHANGES, { store_id: world.storeId, ...body }, headers);
}

const MEMBERS = ['name', 'description', 'image_url', 'price', 'details'];
const isOfMember = ({ where, onlyWith, refersTo }: MenuRule) =>
  onlyWith === undefined &&
  (refersTo === undefined || where.endsWith('/quantity')) &&
  MEMBERS.some((name) => new RegExp(`^/items/\\*/${name}(/|$)`).test(where));

/** The members of the broken item of a rule's example; what is missing there is null here. */
function brokenItems({ example }: MenuRule): readonly object[] {
  const broken = applyChanges(EXAMPLE_MENU, example) as {
    readonly items: readonly Readonly<Record<string, unknown>>[];
  };
  return broken.items.flatMap((item, index) => {
    const before = EXAMPLE_MENU.items[index] as unknown as Readonly<Record<string, unknown>>;
    const changed = MEMBERS.filter(
      (name) => JSON.stringify(item[name]) !== JSON.stringify(before?.[name]),
    );
    if (changed.length === 0) return [];
    const members = changed.map((name) => [name, item[name] ?? null]);
    return [{ external_id: item['external_id'], ...Object.fromEntries(members) }];
  });
}

test.each(ALL_MENU_RULES.filter(isOfMember).map((rule) => [rule.sentence, rule] as const))(
  'a change is refused: %s',
  async (sentence, rule) => {
    const answer = await change({ items: brokenItems(rule) });
    expect(answer).toMatchObject({ status: 409, json: { data: null } });
    expect(answer.json.message).toEqual([expect.stringContaining(sentence.replace(/VALUE$/, ''))]);
  },
);

const inMenu = (price: unknown) => ({
  items: [{ external_id: 'I1', prices_by_menu: [{ identifier: 'M1', price }] }],
});
const ofOption = (price: unknown) => ({
  options: [{ modifier_group_external_id: 'G1', item_external_id: 'I1', price }],
});
const WRONG_PRICES: readonly (readonly [price: unknown, sentence: string])[] = [
  ['none', 'price must be an object.'],
  [{ value: '1', free: 'no' }, 'price free mark must be a boolean.'],
  [{}, 'must have a price value.'],
  [{ value: 1 }, 'price value must be a string.'],
  [{ value: '0' }, 'price value must be greater than 0.'],
  [{ value: '1', free: true }, 'price value must be 0 when the price is free.'],
  [{ value: '2', promotion_value: 1 }, 'promotion price value must be a string.'],
  [{ value: '2', promotion_value: '0' }, 'promotion price value must be greater than 0.'],
  [
    { free: true, promotion_value: '1' },
    'promotion price value must not be sent when the price is free.',
  ],
];

test.each(WRONG_PRICES)(
  'a price in a menu, or of an option, is refused: %j',
  async (price, sentence) => {
    const ofMenu = await change(inMenu(price));
    expect(ofMenu.json.message).toEqual([`The category data item ${sentence}`]);
    const option = await change(ofOption(price));
    expect(option.json.message).toEqual([`The modifier group data option ${sentence}`]);
  },
);

const group = { modifier_group_external_id: 'G1' };
const option = { item_external_id: 'I1' };
test.each([
  [{ items: [7] }, 'The item must be an object.'],
  [{ items: [{ ...PRICE }] }, 'The item must have an external id.'],
  [{ items: [{ external_id: 7, ...PRICE }] }, 'The item external id must be a string.'],
  [
    { items: [{ external_id: LONG_ID, ...PRICE }] },
    'The item external id may not be greater than 255 characters.',
  ],
  [{ items: [{ external_id: 'I1' }] }, 'The item must have something to change: I1'],
  [
    { items: [{ external_id: 'I1', prices_by_menu: [], other: 1 }] },
    'The item must have something to change: I1',
  ],
  [
    { items: [{ external_id: 'I1', prices_by_menu: {} }] },
    'The item prices by menu must be an array.',
  ],
  [
    { items: [{ external_id: 'I1', prices_by_menu: Array.from({ length: 21 }, () => ({})) }] },
    'The item prices by menu may not have more than 20 items.',
  ],
  [
    { items: [{ external_id: 'I1', prices_by_menu: ['M1'] }] },
    'The item price by menu must be an object.',
  ],
  [
    { items: [{ external_id: 'I1', prices_by_menu: [{ ...PRICE }] }] },
    'The menu must have an identifier.',
  ],
  [
    { items: [{ external_id: 'I1', prices_by_menu: [{ identifier: 7, ...PRICE }] }] },
    'The menu identifier must be a string.',
  ],
  [
    { items: [{ external_id: 'I1', prices_by_menu: [{ identifier: LONG_ID, ...PRICE }] }] },
    'The menu identifier may not be greater than 255 characters.',
  ],
  [{ options: ['G1'] }, 'The modifier group data option must be an object.'],
  [{ options: [{ ...option, ...PRICE }] }, 'The modifier group must have an external id.'],
  [
    { options: [{ ...option, modifier_group_external_id: 7, ...PRICE }] },
    'The modifier group external id must be a string.',
  ],
  [
    { options: [{ ...option, modifier_group_external_id: LONG_ID, ...PRICE }] },
    'The modifier group external id may not be greater than 255 characters.',
  ],
  [
    { options: [{ ...group, ...PRICE }] },
    'The modifier group data option must have an external id.',
  ],
  [
    { options: [{ ...group, item_external_id: 7, ...PRICE }] },
    'The modifier group data option external id must be a string.',
  ],
  [
    { options: [{ ...group, item_external_id: LONG_ID, ...PRICE }] },
    'The modifier group data option external id may not be greater than 255 characters.',
  ],
  [
    { options: [{ ...group, ...option }] },
    'The modifier group data option must have something to change: I1',
  ],
])('%j', async (body, sentence) => {
  expect(await change(body)).toMatchObject({
    status: 409,
    json: { message: [sentence], data: null },
  });
});

test('every broken rule, in the order of the body, at its place', async () => {
  const answer = await change(
    {
      items: [{ external_id: 'I1', name: '', price: null }],
      options: [{ ...group, ...option, price: { value: '0' } }],
    },
    { accept: 'application/problem+json' },
  );
  expect(answer.json).toMatchObject({
    status: 409,
    code: 'menu_invalid',
    errors: [
      { pointer: '/items/0/name', detail: 'The item must have a name.', external_id: 'I1' },
      { pointer: '/items/0/price', detail: 'The item must have a price.' },
      {
        pointer: '/options/0/price/value',
        detail: 'The modifier group data option price value must be greater than 0.',
      },
    ],
  });
  const many = await change({
    items: Array.from({ length: 60 }, (_, n) => ({ external_id: `I${n}` })),
  });
  expect(many.json.message).toHaveLength(51);
  expect(many.json.message[50]).toBe('There are 10 more errors.');
});

const many = (length: number) => Array.from({ length }, () => ({}));
test.each([
  [{}, { items: ['The items field is required.'] }],
  [{ items: [], options: null }, { items: ['The items field is required.'] }],
  [{ items: 'I1' }, { items: ['The items must be an array.'] }],
  [{ options: {} }, { options: ['The options must be an array.'] }],
  [{ items: many(501) }, { items: ['The items may not have more than 500 items.'] }],
  [{ options: many(501) }, { options: ['The options may not have more than 500 items.'] }],
  [
    { items: many(300), options: many(201) },
    { options: ['The options may not have more than 200 items.'] },
  ],
  [{ store_id: undefined, items: many(1) }, { store_id: ['The store id field is required.'] }],
  [{ store_id: 999_999_999, items: many(1) }, { store_id: ['The selected store id is invalid.'] }],
  [
    { items: many(1), integration_ids: [] },
    { integration_ids: ['The integration ids field is required.'] },
  ],
  [
    { items: many(1), integration_ids: '1' },
    { integration_ids: ['The integration ids must be an array.'] },
  ],
  [
    { items: many(1), integration_ids: Array.from({ length: 101 }, () => '1') },
    { integration_ids: ['The integration ids may not have more than 100 items.'] },
  ],
  [
    { items: many(1), integration_ids: [null] },
    { 'integration_ids.0': ['The integration ids field is required.'] },
  ],
  [
    { items: many(1), integration_ids: [{}] },
    { 'integration_ids.0': ['The integration ids must be a string.'] },
  ],
  [
    { items: many(1), integration_ids: [LONG_ID] },
    { 'integration_ids.0': ['The integration ids may not be greater than 255 characters.'] },
  ],
])('a request of the wrong shape: %j', async (body, fields) => {
  expect(await change(body)).toMatchObject({ status: 422, json: fields });
});
