import { applyChanges } from '../../src/menus/wanted-changes/apply-changes';
import { checkWantedChanges } from '../../src/menus/wanted-changes/check-wanted-changes';
import { AS_ORDERED } from '../../src/menus/rules/rule';
import { changeableMenu } from '../changes/changeable-menu';

function change(menu: object, items: readonly unknown[], options: readonly unknown[] = []) {
  const verdict = checkWantedChanges(items, options, AS_ORDERED);
  if (!verdict.ok) throw new Error(verdict.problems.sentences.join());
  const text = typeof menu === 'string' ? menu : JSON.stringify(menu);
  const applied = applyChanges(text, verdict.changes);
  return applied.ok ? applied.text.toString() : applied.sentences;
}
const parsed = (...args: Parameters<typeof change>) => JSON.parse(String(change(...args)));

test('all that is not changed stays as it was sent, to the digit', () => {
  const text =
    '{"menus":[{"identifier":"M1","x_big":12345678901234567890,"category_external_ids":["C1"]}],' +
    '"categories":[{"external_id":"C1","data_items":[{"item_external_id":"I1","x":1.0}]}],' +
    '"items":[{"external_id":"I1","x":1.50,"price":{"value":"1"},"name":"a \\"b\\", [c]"},{"external_id":"I2"}],' +
    '"modifier_groups":[]}';
  const changed = change(text as unknown as object, [
    {
      external_id: 'I1',
      price: { value: '2' },
      prices_by_menu: [{ identifier: 'M1', price: { value: '3' } }],
    },
  ]);
  expect(changed).toBe(
    text
      .replace('"price":{"value":"1"}', '"price":{"value":"2"}')
      .replace('"x":1.0}', '"x":1.0,"price":{"value":"3"}}'),
  );
});

test('a member is replaced, null and an empty text clear it, and of details each by itself', () => {
  const menu = changeableMenu();
  const [first, ...others] = menu.items;
  const details = { allergens: ['milk'], barcode: '96385074', diets: ['vegan'] };
  const priced = { value: '2', promotion_value: '1' };
  const known = { ...menu, items: [{ ...first, price: priced, details }, ...others] };
  const { items } = parsed(known, [
    {
      external_id: 'I1',
      price: { value: '3' },
      description: '',
      details: { barcode: null, diets: [], calories: { from: '1' } },
    },
    { external_id: 'I2', details: { serves_alone: true } },
  ]);
  expect(items[0]).toEqual({
    ...first,
    price: { value: '3' },
    description: undefined,
    details: { allergens: ['milk'], diets: [], calories: { from: '1' } },
  });
  expect(items[1]).toEqual({ ...others[0], details: { serves_alone: true } });
  expect(parsed(known, [{ external_id: 'I1', details: null }]).items[0]).not.toHaveProperty(
    'details',
  );
});

test('the price of an item in its menus, and of an option, is the item’s again', () => {
  const price = { value: '9' };
  const menu = changeableMenu();
  const set = parsed(
    menu,
    [{ external_id: 'I1', prices_by_menu: [{ identifier: 'M1', price }] }],
    [{ modifier_group_external_id: 'G1', item_external_id: 'X1', price }],
  );
  expect(set.categories[0].data_items[0]).toEqual({ item_external_id: 'I1', price });
  expect(set.modifier_groups[0].data_options[0].price).toEqual(price);
  const cleared = parsed(
    set,
    [{ external_id: 'I1', prices_by_menu: null }],
    [{ modifier_group_external_id: 'G1', item_external_id: 'X1', price: null }],
  );
  expect(cleared.categories[0].data_items[0]).toEqual({ item_external_id: 'I1' });
  expect(cleared.modifier_groups[0].data_options[0]).toEqual({ item_external_id: 'X1' });
});

test('each id that the menu does not have has one sentence', () => {
  const price = { value: '9' };
  expect(
    change(
      changeableMenu(),
      [
        { external_id: 'I9', name: 'x' },
        {
          external_id: 'X1',
          prices_by_menu: [
            { identifier: 'M1', price },
            { identifier: 'M9', price },
          ],
        },
        {
          external_id: 'I1',
          details: { bundled_items: [{ item_external_id: 'B9', quantity: '1' }] },
        },
      ],
      [
        { modifier_group_external_id: 'G9', item_external_id: 'X1', price },
        { modifier_group_external_id: 'G1', item_external_id: 'I1', price },
      ],
    ),
  ).toEqual([
    'The item external id does not exist: I9',
    'The category data item external id does not exist: X1',
    'The menu identifier does not exist: M9',
    'The item bundled item external id does not exist: B9',
    'The modifier group external id does not exist: G9',
    'The modifier group data option external id does not exist: I1',
  ]);
});
