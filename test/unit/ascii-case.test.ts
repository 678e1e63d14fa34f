import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { asciiLower, asciiUpper } from '../../src/platform/text/ascii-case';
import { COUNTRIES, findCountry } from '../../src/platform/validation/countries';
import { filesIn, PROGRAM } from '../support/source-files';

test('ASCII letters change their case, and nothing else changes', () => {
  const ascii = fc.string({ unit: 'binary-ascii' });
  fc.assert(
    fc.property(ascii, (text) => {
      expect(asciiLower(text)).toBe(text.toLowerCase());
      expect(asciiUpper(text)).toBe(text.toUpperCase());
    }),
  );
  const beyond = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[A-Za-z]/g, ''));
  fc.assert(
    fc.property(beyond, (text) => {
      expect([asciiLower(text), asciiUpper(text)]).toEqual([text, text]);
    }),
  );
});

test('a country has its two letters in any case, and no other spelling in all of Unicode', () => {
  for (const code of COUNTRIES.keys()) expect(findCountry(code.toLowerCase())?.code).toBe(code);
  const found: string[] = [];
  for (let point = 0x80; point <= 0xffff; point += 1) {
    const other = String.fromCharCode(point);
    const folds = other.toUpperCase();
    // `ﬁ` folds to both letters at once, the others to one of them.
    for (const code of COUNTRIES.keys()) {
      if (folds === code) found.push(other);
      if (folds === code[0]) found.push(`${other}${code[1]}`);
      if (folds === code[1]) found.push(`${code[0]}${other}`);
    }
  }
  expect(found).toEqual(expect.arrayContaining(['Cı', 'ıL', 'ſE', 'ﬁ']));
  expect(found.filter((each) => findCountry(each) !== undefined)).toEqual([]);
});

/** Where all of Unicode is folded on purpose: names that people give. */
const FOLDS_NAMES = [
  'src/console/narrow-menu.ts',
  'src/menus/rules/look-alike.ts',
  'src/platform/text/ascii-case.ts',
  'src/platform/text/name-key.ts',
];

test('nothing but names and ids that look alike is folded beyond ASCII', () => {
  const files = filesIn(PROGRAM, /\.ts$/);
  // A regular expression folds as widely as that only with both flags.
  const folding =
    /\.to(?:Locale)?(?:Lower|Upper)Case\(|\/[gmsy]*(?:i[gmsy]*[uv]|[uv][gmsy]*i)[gmsy]*\b[.,;)\s]/;
  const found = files.filter((file) => folding.test(readFileSync(file, 'utf8')));
  expect(found.toSorted()).toEqual(FOLDS_NAMES);
});
