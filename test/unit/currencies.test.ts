import { COUNTRIES } from '../../src/platform/validation/countries';
import { currencyOf } from '../../src/platform/validation/currencies';

const countries = [...COUNTRIES.keys()];

test('every country has one currency', () => {
  expect(countries.map(currencyOf).filter(({ code }) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
  const known = { MX: 'MXN', US: 'USD', KW: 'KWD', CL: 'CLP', HR: 'EUR', BG: 'EUR', GB: 'GBP' };
  for (const [country, code] of Object.entries(known)) expect(currencyOf(country).code).toBe(code);
});

function of(exponent: number): readonly string[] {
  const found = countries.map(currencyOf).filter((one) => one.exponent === exponent);
  return [...new Set(found.map(({ code }) => code))].toSorted();
}

/** ISO 4217's list one; CLDR says 0 for many of the others. */
test('the decimals are those of ISO 4217', () => {
  expect(of(0).join(' ')).toBe('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF');
  expect(of(3).join(' ')).toBe('BHD IQD JOD KWD LYD OMR TND');
  for (const code of ['COP', 'HUF', 'IDR', 'MGA', 'MRU', 'KPW', 'LBP']) {
    expect(of(2)).toContain(code);
  }
});

test('a country that is none has no currency', () => {
  expect(() => currencyOf('XX')).toThrow('The country XX has no currency.');
});
