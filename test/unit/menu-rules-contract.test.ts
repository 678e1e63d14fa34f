import { ALL_MENU_RULES } from '../../src/menus/rules/menu-rules';
import { MENU_SENTENCES } from '../api-contract/menu-sentences';

test('the table has exactly the published sentences, in their order', () => {
  expect(ALL_MENU_RULES.map(({ sentence }) => sentence)).toEqual(MENU_SENTENCES);
});
