import { ALL_MENU_RULES } from '../../src/menus/rules/menu-rules';
import { MENU_SENTENCES } from '../api-contract/menu-sentences';

test('without settings the table has exactly the published sentences, in their order', () => {
  const ordered = ALL_MENU_RULES.filter(({ onlyWith }) => onlyWith === undefined);
  expect(ordered.map(({ sentence }) => sentence)).toEqual(MENU_SENTENCES);
});

test('where zero prices are accepted, three sentences take the place of those about values above 0', () => {
  const other = ALL_MENU_RULES.filter(({ onlyWith }) => onlyWith?.zeroPrices === 'accept');
  expect(other.map(({ sentence }) => sentence)).toEqual([
    'The category data item price value must not be less than 0.',
    'The item price value must not be less than 0.',
    'The modifier group data option price value must not be less than 0.',
  ]);
});
