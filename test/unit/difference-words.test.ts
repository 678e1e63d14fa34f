import { differenceWords } from '../../src/console/difference-words';

test.each([
  [
    {
      op: 'changed',
      kind: 'item',
      external_id: 'soup',
      field: 'name',
      before: 'Soup of the day',
      after: 'Soup',
    },
    'The name of the item soup is “Soup” instead of “Soup of the day”.',
  ],
  [
    {
      op: 'changed',
      kind: 'item',
      external_id: 'soup',
      field: 'price.value',
      before: '6900',
      after: '7900',
    },
    'The price of the item soup is 79.00 instead of 69.00.',
  ],
  [
    {
      op: 'changed',
      kind: 'option',
      external_id: 'big',
      within: 'size',
      field: 'price.value',
      before: '0',
      after: '100',
    },
    'The price of the option big in size is 1.00 instead of free.',
  ],
  [
    {
      op: 'changed',
      kind: 'modifier_group',
      external_id: 'size',
      field: 'quantity.min_quantity',
      before: null,
      after: 1,
    },
    'The least number of choices of the modifier group size is 1 instead of nothing.',
  ],
  [
    {
      op: 'changed',
      kind: 'menu',
      external_id: 'main',
      field: 'schedules',
      before: [],
      after: [{}],
    },
    'The hours of the menu main are others.',
  ],
  [
    { op: 'changed', kind: 'category', external_id: null, field: 'order' },
    'The category list has another order.',
  ],
  [{ op: 'added', kind: 'item', external_id: 'tea' }, 'The item tea was added in the app.'],
  [
    { op: 'removed', kind: 'item', external_id: 'tea', within: 'drinks' },
    'The item tea in drinks is gone in the app.',
  ],
] as const)('%j', (change, sentence) => {
  expect(differenceWords(change)).toBe(sentence);
});

test('a long text is cut', () => {
  const before = 'x'.repeat(200);
  const change = {
    op: 'changed',
    kind: 'item',
    external_id: 'a',
    field: 'description',
    before,
  } as const;
  expect(differenceWords({ ...change, after: '' })).toBe(
    `The description of the item a is nothing instead of “${'x'.repeat(120)}…”.`,
  );
});
