import { storeCreateSchema } from '../../schemas/store';
import { COUNTRIES, findCountry } from '../../src/platform/validation/countries';
import { fieldsOf as fieldsIn } from '../support/field-sentences';

function fieldsOf(changes: object): Readonly<Record<string, readonly string[]>> {
  return fieldsIn(storeCreateSchema, { name: 'Centro', country_code: 'MX', ...changes });
}

describe('a store', () => {
  test('has a name and a country', () => {
    expect(fieldsIn(storeCreateSchema, {})).toEqual({
      name: ['The name field is required.'],
      country_code: ['The country code field is required.'],
    });
  });

  test.each(['MX', 'mx', 'Mx'])('may be in %s', (country_code) => {
    expect(fieldsOf({ country_code })).toEqual({});
  });

  test.each(['XX', 'MEX', 'M', ' MX', '484', 52, 'ı̇', 'Cı', 'ıL', 'ſE', 'ﬁ'])(
    'may not be in %j',
    (country_code) => {
      expect(fieldsOf({ country_code })).toEqual({
        country_code: ['The selected country code is invalid.'],
      });
    },
  );

  test('may have a direction, which is text', () => {
    expect(fieldsOf({ direction: null })).toEqual({});
    expect(fieldsOf({ direction: 'Av. Juárez 1' })).toEqual({});
    expect(fieldsOf({ direction: 7 })).toEqual({ direction: ['The direction must be a string.'] });
  });
});

describe('coordinates', () => {
  test.each([
    ['19.4326', '-99.1332'],
    [19.4326, -99.1332],
    ['90', '180'],
    ['-90.0', '-180.000'],
    ['0', 0],
    [null, null],
  ])('%j, %j are fine', (latitude, longitude) => {
    expect(fieldsOf({ latitude, longitude })).toEqual({});
  });

  test.each(['90.1', '-91', '1e1', '', ' 1', '+1', '1.', '.5', 'north', 90.1, true, '019'])(
    'the latitude %j is refused',
    (latitude) => {
      expect(fieldsOf({ latitude, longitude: '0' })).toEqual({
        latitude: ['The latitude format is invalid.'],
      });
    },
  );

  test.each(['180.1', '-181', '200', 180.5, [], 'west'])(
    'the longitude %j is refused',
    (longitude) => {
      expect(fieldsOf({ latitude: '0', longitude })).toEqual({
        longitude: ['The longitude format is invalid.'],
      });
    },
  );

  test.each([undefined, null])('one alone requires the other (%j)', (absent) => {
    expect(fieldsOf({ latitude: '1', longitude: absent })).toEqual({
      longitude: ['The longitude field is required.'],
    });
    expect(fieldsOf({ latitude: absent, longitude: '1' })).toEqual({
      latitude: ['The latitude field is required.'],
    });
    expect(fieldsOf({ longitude: '1' })).toEqual({ latitude: ['The latitude field is required.'] });
  });
});

describe('countries', () => {
  test('are the 249 of ISO 3166-1, each known to Unicode as well', () => {
    const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(COUNTRIES.size).toBe(249);
    for (const { code, locale } of COUNTRIES.values()) {
      expect(regions.of(code)).toBeDefined();
      expect(new Intl.Locale(locale.replace('_', '-')).region).toBe(code);
    }
  });

  test('are none of the codes that Unicode adds to them', () => {
    for (const code of ['EU', 'UN', 'XK', 'EA', 'IC', 'AC', 'TA', 'DG', 'CP', 'QO', 'ZZ']) {
      expect(findCountry(code)).toBeUndefined();
    }
  });

  test('have the decimals of their currency', () => {
    const none = ['CL', 'PY', 'JP', 'KR', 'VN', 'IS', 'UG', 'RW', 'CM', 'SN', 'PF', 'GN', 'BI'];
    for (const code of none) expect(findCountry(code)?.currencyExponent).toBe(0);
    for (const code of ['MX', 'CO', 'AR', 'US', 'HU', 'ID', 'MG', 'MR', 'KP']) {
      expect(findCountry(code)?.currencyExponent).toBe(2);
    }
    for (const code of ['BH', 'IQ', 'JO', 'KW', 'LY', 'OM', 'TN']) {
      expect(findCountry(code)?.currencyExponent).toBe(3);
    }
  });

  test('have an English name and a locale', () => {
    expect(findCountry('mx')).toEqual({
      code: 'MX',
      name: 'Mexico',
      language: 'es',
      locale: 'es_mx',
      currencyExponent: 2,
    });
    expect(findCountry('BR')?.locale).toBe('pt_br');
  });
});
