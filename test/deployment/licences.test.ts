import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeLicences, type Lockfile } from '../../dev/release/licences';
import { ROOT } from '../support/documents';

test('every package has an allowed licence, and every shipped package one that may be shipped', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile;
  const { looked, refused } = judgeLicences(lock);
  expect(refused).toEqual([]);
  expect(looked).toBeGreaterThan(300);
});

test.each([
  ['GPL-3.0-only', false, ['one@1.0.0: GPL-3.0-only']],
  ['(MIT AND GPL-3.0-only)', false, ['one@1.0.0: (MIT AND GPL-3.0-only)']],
  ['(MIT OR GPL-3.0-only)', false, []],
  ['MPL-2.0', false, ['one@1.0.0: MPL-2.0']],
  ['MPL-2.0', true, []],
  [undefined, true, ['one@1.0.0: none']],
])('a package with the licence %s, only to develop: %s', (license, dev, refused) => {
  const one = { version: '1.0.0', dev, ...(license === undefined ? {} : { license }) };
  const lock = { packages: { '': { version: '1.0.0' }, 'node_modules/one': one } };
  expect(judgeLicences(lock)).toEqual({ looked: 1, refused });
});
