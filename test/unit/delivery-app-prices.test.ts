import fc from 'fast-check';
import { indexMenu } from '../../src/delivery-apps/menu-index';
import {
  digitsToInteger,
  isFree,
  isSamePrice,
  namedPrices,
  toDecimalText,
  toLowestDenomination,
} from '../../src/delivery-apps/prices';

test.each([
  ['1030', '10.30'],
  ['5', '0.05'],
  ['50', '0.50'],
  ['100', '1.00'],
  ['0', '0.00'],
  ['0001030', '10.30'],
  ['999999999999', '9999999999.99'],
])('%s as decimal text is %s', (digits, text) => {
  expect(toDecimalText(digits)).toBe(text);
});

test('decimal text is the same number as the digits, whatever they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (price) => {
      const text = toDecimalText(String(price));
      expect(text).toMatch(/^\d+\.\d{2}$/);
      expect(Number(text.replace('.', ''))).toBe(price);
    }),
  );
});

test.each([
  ['1030', 2, 1030],
  ['1200000', 0, 12000],
  ['100', 0, 1],
  ['1250', 0, null],
  ['1', 0, null],
  ['0', 0, 0],
  // 1.25 Kuwaiti dinars are 1,250 fils.
  ['125', 3, 1250],
  ['0', 3, 0],
  ['999999999999', 3, 9_999_999_999_990],
] as const)('%s with %i decimals is %s in the lowest denomination', (digits, exponent, wire) => {
  expect(toLowestDenomination(digits, exponent)).toBe(wire);
});

test('a price of 0 is one however many zeros it has', () => {
  const values = ['0', '0'.repeat(20), '001'];
  expect(values.map((value) => isFree({ value }))).toEqual([true, true, false]);
});

test('what is free costs 0, with a value or without', () => {
  expect([{ free: true }, { free: true, value: '0' }].map(isFree)).toEqual([true, true]);
  expect(
    [
      { free: false, value: '1' },
      { free: null, value: '1' },
    ].map(isFree),
  ).toEqual([false, false]);
  expect(isSamePrice({ free: true }, { value: '00' })).toBe(true);
});

test('a price without value that is not free is no price', () => {
  expect(() => isFree({})).toThrow(RangeError);
});

test.each(['', '-1', '1.5', '1e3', ' 1', '١', '1234567890123'])('%j is not a price', (text) => {
  expect(() => digitsToInteger(text)).toThrow(RangeError);
});

test('prices are the same by number, and no promotion is none however it is said', () => {
  expect(isSamePrice({ value: '0100' }, { value: '100', promotion_value: null })).toBe(true);
  expect(isSamePrice({ value: '100', promotion_value: '90' }, { value: '100' })).toBe(false);
  // The API takes an empty promotion as absent.
  const unpromoted = { value: '100', promotion_value: '' };
  for (const none of [{}, { promotion_value: null }, { promotion_value: '' }]) {
    expect(isSamePrice(unpromoted, { value: '0100', ...none })).toBe(true);
    expect(isSamePrice({ value: '100', ...none }, unpromoted)).toBe(true);
  }
  expect(isSamePrice(unpromoted, { value: '100', promotion_value: '90' })).toBe(false);
  const promoted = { value: '100', promotion_value: '090' };
  expect(isSamePrice(promoted, { value: '100', promotion_value: '90' })).toBe(true);
});

const at = (id: string, value?: string) =>
  value === undefined ? { item_external_id: id } : { item_external_id: id, price: { value } };
const item = (id: string) => ({
  external_id: id,
  name: id,
  price: { value: '1' },
  data_modifier_groups: [],
});

const DOCUMENT = {
  categories: [
    { external_id: 'C1', name: 'c', data_items: [at('A', '30'), at('B', '0020'), at('C')] },
    { external_id: 'C2', name: 'c', data_items: [at('A'), at('A', '20'), at('B', '20')] },
    { external_id: 'C3', name: 'c', data_items: [at('B', '20'), at('B', '21')] },
  ],
  items: ['A', 'B', 'C', 'D'].map(item),
  modifier_groups: [],
};

function pricesOf(...categoryIds: string[]) {
  const menu = {
    identifier: 'M1',
    name: 'Main',
    category_external_ids: categoryIds,
    schedules: [],
  };
  const [prices] = namedPrices([menu], indexMenu({ ...DOCUMENT, menus: [menu] }));
  return [...(prices ?? [])].map(([id, { price, conflicting }]) => [id, price.value, conflicting]);
}

test('the first price found in a menu counts there, by category and then by item order', () => {
  expect(pricesOf('C2', 'C1')).toEqual([
    ['A', '20', true],
    ['B', '20', false],
  ]);
  expect(pricesOf('C1', 'C2')).toEqual([
    ['A', '30', true],
    ['B', '0020', false],
  ]);
});

test('two prices for an item in one category conflict, also where another category came first', () => {
  expect(pricesOf('C3')).toEqual([['B', '20', true]]);
  expect(pricesOf('C1', 'C3')).toContainEqual(['B', '0020', true]);
});

test('a category that a menu names twice, or that is unknown, changes nothing', () => {
  expect(pricesOf('C2', 'C1', 'C2', 'NONE', 'C2')).toEqual(pricesOf('C2', 'C1'));
});
