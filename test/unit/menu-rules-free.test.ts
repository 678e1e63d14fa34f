import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { AS_ORDERED, put } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';

/** The sentences about one value in the menu of the examples, without any setting. */
function sentencesOf(path: string, value: unknown): readonly string[] {
  const verdict = checkMenu(applyChanges(EXAMPLE_MENU, [put(path, value)]) as MenuBody, AS_ORDERED);
  return verdict.ok ? [] : verdict.problems.sentences;
}

const PRICES = [
  ['item', '/items/0/price'],
  ['category data item', '/categories/0/data_items/0/price'],
  ['modifier group data option', '/modifier_groups/0/data_options/0/price'],
] as const;

describe.each(PRICES)('the price of %s', (words, path) => {
  test.each([
    { free: true },
    { free: true, value: '0' },
    { free: true, value: '000000000000', promotion_value: null },
    { free: true, value: null, promotion_value: '' },
    { free: false, value: '100' },
    { free: null, value: '100' },
  ])('may be %j', (price) => {
    expect(sentencesOf(path, price)).toEqual([]);
  });

  test.each([
    [{ free: 1, value: '100' }, ['price free mark must be a boolean.']],
    [{ free: 'true' }, ['price free mark must be a boolean.', 'must have a price value.']],
    [{ free: true, value: '1' }, ['price value must be 0 when the price is free.']],
    [{ free: true, value: '-0' }, ['price value must be 0 when the price is free.']],
    [{ free: true, value: 0 }, ['price value must be a string.']],
    [
      { free: true, value: '5', promotion_value: 3 },
      [
        'price value must be 0 when the price is free.',
        'promotion price value must not be sent when the price is free.',
      ],
    ],
    [{ free: false, value: '0' }, ['price value must be greater than 0.']],
    [{ free: null }, ['must have a price value.']],
  ])('is refused as %j', (price, sentences) => {
    expect(sentencesOf(path, price)).toEqual(
      sentences.map((sentence) => `The ${words} ${sentence}`),
    );
  });
});

const QUANTITIES = [
  ['item data modifier group', '/items/0/data_modifier_groups/0/quantity'],
  ['modifier group', '/modifier_groups/0/quantity'],
  ['modifier group data option', '/modifier_groups/0/data_options/0/quantity'],
] as const;

describe.each(QUANTITIES)('the quantity of %s', (words, path) => {
  test.each([
    { exactly: '1' },
    { exactly: '02', min_quantity: null, max_quantity: '' },
    { exactly: '', min_quantity: '0', max_quantity: '2' },
  ])('may be %j', (quantity) => {
    expect(sentencesOf(path, quantity)).toEqual([]);
  });

  test.each([
    [{ exactly: 1 }, 'exact quantity value must be a string.'],
    [{ exactly: '0' }, 'exact quantity value must be greater than 0.'],
    [{ exactly: 'one', min_quantity: '1' }, 'exact quantity value must be greater than 0.'],
    [
      { exactly: '1', min_quantity: '1' },
      'must have either an exact quantity value or min and max quantity values.',
    ],
    [
      { exactly: '1', min_quantity: 'x', max_quantity: 'y' },
      'must have either an exact quantity value or min and max quantity values.',
    ],
  ])('is refused as %j', (quantity, sentence) => {
    expect(sentencesOf(path, quantity)).toEqual([`The ${words} ${sentence}`]);
  });
});

describe.each(QUANTITIES.slice(0, 2))('the free units of %s', (words, path) => {
  test.each([
    { exactly: '2', free_quantity: '2' },
    { min_quantity: '0', max_quantity: '3', free_quantity: '00' },
    { min_quantity: '0', max_quantity: '3', free_quantity: null },
  ])('may be %j', (quantity) => {
    expect(sentencesOf(path, quantity)).toEqual([]);
  });

  test.each([
    [{ exactly: '2', free_quantity: 1 }, ['free quantity value must be a string.']],
    [{ exactly: '2', free_quantity: 'x' }, ['free quantity value must not be less than 0.']],
    [
      { exactly: '2', free_quantity: '3' },
      ['free quantity value must not be greater than the max quantity value.'],
    ],
    [
      { min_quantity: '0', max_quantity: 'x', free_quantity: '3' },
      ['max quantity value must be greater than 0.'],
    ],
    [
      { exactly: 2, free_quantity: '-1' },
      ['exact quantity value must be a string.', 'free quantity value must not be less than 0.'],
    ],
  ])('are refused as %j', (quantity, sentences) => {
    expect(sentencesOf(path, quantity)).toEqual(
      sentences.map((sentence) => `The ${words} ${sentence}`),
    );
  });
});

test('an option has no free units, whatever stands there', () => {
  const [, path] = QUANTITIES[2];
  expect(sentencesOf(path, { exactly: '1', free_quantity: 'x' })).toEqual([]);
});
