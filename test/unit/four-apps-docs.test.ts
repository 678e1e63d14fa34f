import { readFileSync } from 'node:fs';
import { FOUR_APPS_DOCS, fourAppsMarkdown } from '../../dev/docs/write-four-apps-docs';

test('docs/one-menu-four-apps.md matches the transforms (update it with npx tsx dev/docs/write-four-apps-docs.ts)', () => {
  expect(readFileSync(FOUR_APPS_DOCS, 'utf8')).toBe(fourAppsMarkdown());
});
