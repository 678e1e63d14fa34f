import { readFileSync } from 'node:fs';
import { MENU_RULES_DOCS, menuRulesMarkdown } from '../../dev/docs/write-menu-rules-docs';

test('docs/menu-rules.md matches the table (update it with npx tsx dev/docs/write-menu-rules-docs.ts)', () => {
  expect(readFileSync(MENU_RULES_DOCS, 'utf8')).toBe(menuRulesMarkdown());
});
