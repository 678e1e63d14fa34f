import { readFileSync } from 'node:fs';
import { COUNTRIES } from '../../src/platform/validation/countries';

/** ISO 3166-1 as the library `i18n-iso-countries` keeps it: codes with their English names, the usual one first. */
const ISO = (
  JSON.parse(readFileSync(require.resolve('i18n-iso-countries/langs/en.json'), 'utf8')) as {
    readonly countries: Readonly<Record<string, string | readonly string[]>>;
  }
).countries;

/** User-assigned: in use, but not in the standard. */
const NOT_IN_ISO = ['XK'];

test('every code of ISO 3166-1 is a country, and nothing else is', () => {
  const codes = Object.keys(ISO).filter((code) => !NOT_IN_ISO.includes(code));
  const ours = [...COUNTRIES.keys()].filter((code) => !NOT_IN_ISO.includes(code));
  expect(codes.length).toBe(249);
  expect(ours.toSorted()).toEqual(codes.toSorted());
});

/** What people say where the standard has other words. */
const OWN_NAMES = {
  BQ: 'Caribbean Netherlands',
  LA: 'Laos',
  SY: 'Syria',
  VI: 'United States Virgin Islands',
};

/** The words of a name without accents: ours omits additions such as `Islamic Republic of`. */
function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}']+/gu) ?? [];
}

test('every country has a name from the standard, or its words', () => {
  const others = [...COUNTRIES.values()].filter(({ code, name }) => {
    const known = [ISO[code] ?? []].flat().map(wordsOf);
    return !known.some((words) => wordsOf(name).every((word) => words.includes(word)));
  });
  expect(Object.fromEntries(others.map(({ code, name }) => [code, name]))).toEqual(OWN_NAMES);
});
