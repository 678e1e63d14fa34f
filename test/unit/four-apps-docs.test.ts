import { readFileSync } from 'node:fs';
import { FOUR_APPS_DOCS, fourAppsMarkdown } from '../../dev/write-four-apps-docs';

test('docs/one-menu-four-apps.md shows what the transforms make today (npx tsx dev/write-four-apps-docs.ts writes it anew)', () => {
  expect(readFileSync(FOUR_APPS_DOCS, 'utf8')).toBe(fourAppsMarkdown());
});
