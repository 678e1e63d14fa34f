import * as menuUpload from '../../schemas/menu-upload';
import { createValidator } from '../../src/platform/validation/validation';
import { fieldsOf, refusing } from '../support/field-sentences';

describe('menu upload', () => {
  const schema = menuUpload.menuUploadSchema;
  const good = {
    store_id: '1',
    integration_id: '1',
    menus: [{}],
    categories: [{}],
    items: [{}],
    modifier_groups: [],
  };
  const sentences = refusing(schema, good);

  test('an empty body lacks every field', () => {
    expect(fieldsOf(schema, {})).toEqual({
      store_id: ['The store id field is required.'],
      integration_id: ['The integration id field is required.'],
      menus: ['The menus field is required.'],
      categories: ['The categories field is required.'],
      items: ['The items field is required.'],
      modifier_groups: ['The modifier groups field is required.'],
    });
  });

  test.each(['store_id', 'integration_id', 'menus', 'categories', 'items', 'modifier_groups'])(
    'null counts as absent for %s',
    (field) => {
      expect(sentences(field, null)).toEqual([
        `The ${field.replaceAll('_', ' ')} field is required.`,
      ]);
    },
  );

  test.each(['menus', 'categories', 'items'])('empty %s count as absent', (field) => {
    expect(sentences(field, [])).toEqual([`The ${field} field is required.`]);
  });

  test('modifier groups may be empty', () => {
    expect(fieldsOf(schema, good)).toEqual({});
  });

  test.each([
    ['menus', { length: 1 }, 'The menus must be an array.'],
    ['menus', '', 'The menus must be an array.'],
    ['categories', 'C1', 'The categories must be an array.'],
    ['items', 7, 'The items must be an array.'],
    ['modifier_groups', false, 'The modifier groups must be an array.'],
  ])('%s may not be %j', (field, value, sentence) => {
    expect(sentences(field, value)).toEqual([sentence]);
  });

  test.each([
    ['menus', 20],
    ['categories', 2000],
    ['items', 10_000],
    ['modifier_groups', 5000],
  ])('%s may have %d entries and no more', (field, most) => {
    const words = field.replaceAll('_', ' ');
    expect(sentences(field, Array(most).fill(0))).toEqual([]);
    expect(sentences(field, Array(most + 1).fill(0))).toEqual([
      `The ${words} may not have more than ${most} items.`,
    ]);
  });

  test.each([1, '1', '000000000001', 999_999_999_999])('the store id may be %j', (id) => {
    expect(sentences('store_id', id)).toEqual([]);
  });

  test.each([
    ' 1',
    '1 ',
    '-1',
    -1,
    1.5,
    '1.5',
    'abc',
    '1234567890123',
    1e12,
    true,
    {},
    ['1'],
    '１',
  ])('the store id %j is invalid', (id) => {
    expect(sentences('store_id', id)).toEqual(['The selected store id is invalid.']);
  });

  test('an empty store id counts as absent', () => {
    expect(sentences('store_id', '')).toEqual(['The store id field is required.']);
  });

  test('the integration id is any string, or a number', () => {
    expect(sentences('integration_id', 4)).toEqual([]);
    expect(sentences('integration_id', 'x'.repeat(255))).toEqual([]);
    expect(sentences('integration_id', 'x'.repeat(256))).toEqual([
      'The integration id may not be greater than 255 characters.',
    ]);
    expect(sentences('integration_id', {})).toEqual(['The integration id must be a string.']);
  });

  test('unknown keys, also the names of object members, are neither missed nor refused', () => {
    expect(fieldsOf(schema, { ...good, note: 1 })).toEqual({});
    expect(
      fieldsOf(schema, JSON.parse('{"__proto__":{"store_id":"1"},"constructor":1}')),
    ).toHaveProperty('store_id');
  });

  test('skip_unchanged is true or false', () => {
    const query = menuUpload.menuUploadQuerySchema;
    expect(fieldsOf(query, {})).toEqual({});
    expect(fieldsOf(query, { skip_unchanged: 'true' })).toEqual({});
    expect(fieldsOf(query, { skip_unchanged: 'yes' })).toEqual({
      skip_unchanged: ['The selected skip unchanged is invalid.'],
    });
  });
});

test('the machine-readable form has the code and place of each sentence', () => {
  const verdict = createValidator(menuUpload.menuUploadSchema)({ store_id: true, items: [] });
  expect(verdict.ok ? [] : verdict.errors).toEqual([
    {
      code: 'required',
      pointer: '/integration_id',
      detail: 'The integration id field is required.',
    },
    { code: 'required', pointer: '/menus', detail: 'The menus field is required.' },
    { code: 'required', pointer: '/categories', detail: 'The categories field is required.' },
    {
      code: 'required',
      pointer: '/modifier_groups',
      detail: 'The modifier groups field is required.',
    },
    {
      code: 'invalid',
      pointer: '/store_id',
      detail: 'The selected store id is invalid.',
      value: true,
      hint: 'A whole number: 7 or "7".',
    },
    { code: 'required', pointer: '/items', detail: 'The items field is required.' },
  ]);
});

test('a body that is not an object gets a sentence too', () => {
  expect(fieldsOf(menuUpload.menuUploadSchema, [])).toEqual({
    body: ['The body must be an object.'],
  });
});
