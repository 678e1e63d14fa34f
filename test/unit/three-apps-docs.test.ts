import { readFileSync } from 'node:fs';
import { THREE_APPS_DOCS, threeAppsMarkdown } from '../../dev/write-three-apps-docs';

test('docs/one-menu-three-apps.md shows what the transforms make today (npx tsx dev/write-three-apps-docs.ts writes it anew)', () => {
  expect(readFileSync(THREE_APPS_DOCS, 'utf8')).toBe(threeAppsMarkdown());
});
