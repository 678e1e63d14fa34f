import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  readonly license?: string;
  readonly version: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Licences that allow use and shipping and require only naming the authors. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);
/** Used to develop alone, unchanged, and never shipped. */
const ALLOWED_TO_DEVELOP = new Set([...ALLOWED, 'MPL-2.0']);
/** Those whose package.json says nothing, and what their own LICENSE file is. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = { 'unionfs@4.6.0': 'Unlicense' };

const lock = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
/** Without our own: the project, its workspaces and the links to those. */
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

/** Whether the expression is allowed: all of `A AND B`, one of `A OR B`. */
function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' AND '))
    return plain.split(' AND ').every((each) => isAllowed(each, allowed));
  return plain.split(' OR ').some((each) => allowed.has(each));
}

test('every package has an allowed licence, and every shipped package one that may be shipped', () => {
  const refused = packages.flatMap(([path, { license, version, dev }]) => {
    const name = `${path.split('node_modules/').at(-1)}@${version}`;
    const licence = license ?? SAID_ELSEWHERE[name] ?? 'none';
    return isAllowed(licence, dev ? ALLOWED_TO_DEVELOP : ALLOWED) ? [] : [`${name}: ${licence}`];
  });
  expect(refused).toEqual([]);
  expect(packages.length).toBeGreaterThan(300);
});

test('a stricter licence is detected, alone and in an expression', () => {
  expect(isAllowed('GPL-3.0-only', ALLOWED)).toBe(false);
  expect(isAllowed('(MIT AND GPL-3.0-only)', ALLOWED)).toBe(false);
  expect(isAllowed('(MIT OR GPL-3.0-only)', ALLOWED)).toBe(true);
});
