import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { put, type Change } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';

/** Where zero prices are accepted. */
function verdictOf(change: Change) {
  const menu = applyChanges(EXAMPLE_MENU, [change]) as MenuBody;
  return checkMenu(menu, { equalQuantities: 'refuse', zeroPrices: 'accept' });
}

test.each([
  ['item', '/items/0/price'],
  ['category data item', '/categories/0/data_items/0/price'],
  ['modifier group data option', '/modifier_groups/0/data_options/0/price'],
])('an %s may cost nothing, but what is not digits is refused', (words, path) => {
  for (const value of ['0', '000000000000', '1']) {
    expect(verdictOf(put(path, { value }))).toMatchObject({ ok: true });
  }
  for (const value of ['-1', '-0', '0.00', '5/8', '0000000000000', '٠']) {
    expect(verdictOf(put(path, { value }))).toMatchObject({
      problems: { sentences: [`The ${words} price value must not be less than 0.`] },
    });
  }
});

test('a promotion still costs more than 0', () => {
  const price = { value: '100', promotion_value: '0' };
  expect(verdictOf(put('/items/0/price', price))).toMatchObject({
    problems: { sentences: ['The item promotion price value must be greater than 0.'] },
  });
});
