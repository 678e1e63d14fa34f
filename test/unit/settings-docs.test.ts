import { readFileSync } from 'node:fs';
import { SETTINGS_DOCS, withSettings } from '../../dev/docs/write-settings-docs';

const page = readFileSync(SETTINGS_DOCS, 'utf8');

test('docs/settings.md lists the settings as the code has them (update it with npx tsx dev/docs/write-settings-docs.ts)', () => {
  expect(withSettings(page)).toBe(page);
});

test('a page without the markers is refused instead of being left as it is', () => {
  expect(() => withSettings('# A page')).toThrow('settings');
});
