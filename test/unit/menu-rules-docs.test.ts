import { readFileSync } from 'node:fs';
import { MENU_RULES_DOCS, menuRulesMarkdown } from '../../dev/write-menu-rules-docs';

test('docs/menu-rules.md says what the table says (npx tsx dev/write-menu-rules-docs.ts writes it anew)', () => {
  expect(readFileSync(MENU_RULES_DOCS, 'utf8')).toBe(menuRulesMarkdown());
});
