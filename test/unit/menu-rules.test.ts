import type { MenuDocument } from '../../src/menus/menu';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import type { MenuProblems } from '../../src/menus/rules/menu-problems';
import { ALL_MENU_RULES } from '../../src/menus/rules/menu-rules';
import { toProblemDetails, toSentences } from '../../src/menus/rules/problems-in-answers';
import { put, remove, type Change } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';

const NO_PROBLEMS: MenuProblems = {
  shown: [],
  omitted: [],
  count: 0,
  sentences: [],
  sentenceCount: 0,
};

function problemsOf(body: unknown, equalQuantities: 'refuse' | 'accept' = 'refuse'): MenuProblems {
  const verdict = checkMenu(body as MenuBody, { equalQuantities });
  return verdict.ok ? NO_PROBLEMS : verdict.problems;
}

function sentencesAfter(...changes: Change[]): readonly string[] {
  return problemsOf(applyChanges(EXAMPLE_MENU, changes)).sentences;
}

describe('a valid menu', () => {
  test('passes, and comes out as the four lists alone', () => {
    const verdict = checkMenu({ ...EXAMPLE_MENU, store_id: 7 } as MenuDocument, {
      equalQuantities: 'refuse',
    });
    expect(verdict).toEqual({ ok: true, menu: EXAMPLE_MENU });
  });

  test.each<[string, Change]>([
    ['null for a description', put('/items/0/description', null)],
    ['an empty description', put('/items/0/description', '')],
    ['null for an image url', put('/items/0/image_url', null)],
    ['null for the schedules of an item', put('/items/0/schedules', null)],
    ['no schedules of an item', put('/items/0/schedules', [])],
    ['null for the price of a data item', put('/categories/0/data_items/0/price', null)],
    ['null for a promotion price', put('/items/0/price/promotion_value', null)],
    ['an empty promotion price', put('/items/0/price/promotion_value', '')],
    ['null for the quantity of an option', put('/modifier_groups/0/data_options/0/quantity', null)],
    ['a category without data items', put('/categories/0/data_items', [])],
    ['unknown keys', put('/items/0/calories', { kcal: 800 })],
    ['a price with leading zeros', put('/items/0/price/value', '000001')],
    ['the highest price', put('/items/0/price/value', '999999999999')],
    ['a name of 255 characters outside the BMP', put('/items/0/name', '🍔'.repeat(255))],
    ['an item that no category has', put('/categories/0/data_items', [])],
  ])('may have %s', (_, change) => {
    expect(sentencesAfter(change)).toEqual([]);
  });

  test('may use the names of object members as ids', () => {
    for (const id of ['__proto__', 'constructor', 'hasOwnProperty']) {
      const text = JSON.stringify(EXAMPLE_MENU).replaceAll('"I2"', `"${id}"`);
      expect(problemsOf(JSON.parse(text)).sentences).toEqual([]);
    }
  });
});

describe('values', () => {
  test.each(['', null])('%j counts as absent for a required string', (value) => {
    expect(sentencesAfter(put('/menus/0/name', value))).toEqual(['The menu must have a name.']);
  });

  test.each(['0', '000', '-1', '1.5', '1e3', ' 1', '١', '1234567890123'])(
    'the price %j is not greater than 0',
    (value) => {
      expect(sentencesAfter(put('/items/0/price/value', value))).toEqual([
        'The item price value must be greater than 0.',
      ]);
    },
  );

  test.each([
    ['x', '2', ['The modifier group min quantity value must not be less than 0.']],
    ['0', 'x', ['The modifier group max quantity value must be greater than 0.']],
    ['0', '0', ['The modifier group max quantity value must be greater than 0.']],
    [
      'x',
      'y',
      [
        'The modifier group min quantity value must not be less than 0.',
        'The modifier group max quantity value must be greater than 0.',
      ],
    ],
    [
      '10',
      '9',
      ['The modifier group max quantity value must be greater than the min quantity value.'],
    ],
  ])(
    'a quantity from %j to %j gets one message per bound',
    (min_quantity, max_quantity, expected) => {
      const quantity = { min_quantity, max_quantity };
      expect(sentencesAfter(put('/modifier_groups/0/quantity', quantity))).toEqual(expected);
    },
  );

  test('equal quantities pass only where the setting accepts them', () => {
    const menu = applyChanges(EXAMPLE_MENU, [
      put('/modifier_groups/0/quantity', { min_quantity: '1', max_quantity: '1' }),
    ]);
    expect(problemsOf(menu, 'accept').sentences).toEqual([]);
    expect(problemsOf(menu, 'refuse').sentences).toEqual([
      'The modifier group max quantity value must be greater than the min quantity value.',
    ]);
  });

  test('a group without a quantity lacks both bounds', () => {
    const menu = applyChanges(EXAMPLE_MENU, [remove('/modifier_groups/0/quantity')]);
    expect(problemsOf(menu).shown).toEqual([
      {
        code: 'required',
        sentence: 'The modifier group must have a min quantity value.',
        pointer: '/modifier_groups/0/quantity/min_quantity',
        externalId: 'G1',
      },
      {
        code: 'required',
        sentence: 'The modifier group must have a max quantity value.',
        pointer: '/modifier_groups/0/quantity/max_quantity',
        externalId: 'G1',
      },
    ]);
  });

  test.each([
    ['/menus/0/category_external_ids', [], 'The menu must have categories external ids.'],
    ['/menus/0/schedules', [], 'The menu must have schedules.'],
    ['/menus/0/schedules/0/periods', [], 'The menu schedule must have periods.'],
    ['/modifier_groups/0/data_options', [], 'The modifier group must have data options.'],
    ['/menus/0/category_external_ids/0', null, 'The menu category external id must be a string.'],
    ['/items/0/price', '12900', 'The item price must be an object.'],
    ['/items/0/price', ['12900'], 'The item price must be an object.'],
    ['/items/0', null, 'The item must be an object.'],
  ])('%s: %j is refused: %s', (path, value, sentence) => {
    expect(sentencesAfter(put(path, value))).toContain(sentence);
  });

  test('an offending value is shown as it was sent, on one line and cut', () => {
    const day = `mon\u0000day\u202e\n${'x'.repeat(10_000)}`;
    const [sentence = ''] = sentencesAfter(put('/menus/0/schedules/0/day_of_week', day));
    expect(sentence).toMatch(
      /^The day of the week of this menu schedule is not valid: mon\\u0000day\\u202e\\u000ax+$/,
    );
    expect(sentence.length).toBeLessThan(340);
  });

  test('an id that differs from a known one by a blank or its Unicode form shows the difference', () => {
    const reference = '/menus/0/category_external_ids/0';
    for (const id of ['C1 ', ' C1', 'e\u0301', 'C1\u00a0']) {
      expect(sentencesAfter(put(reference, id))).toContain(
        `The menu category external id does not exist: ${id}`,
      );
    }
    expect(sentencesAfter(put('/menus/0/schedules/0/day_of_week', 'monday '))).toContain(
      'The day of the week of this menu schedule is not valid: monday ',
    );
  });
});

describe('order', () => {
  test('follows the document, and the table within an entity', () => {
    const broken = {
      menus: [{ schedules: [{ periods: [{}] }], category_external_ids: ['C9'] }],
      categories: [{ data_items: [{ item_external_id: 'I9', price: {} }] }],
      items: [
        { image_url: 1, price: {}, schedules: [1], data_modifier_groups: [{ quantity: {} }] },
      ],
      modifier_groups: [{ data_options: [{}, { item_external_id: 'I8' }] }],
    };
    expect(problemsOf(broken).shown.map(({ sentence }) => sentence)).toEqual([
      'The menu must have a name.',
      'The menu category external id does not exist: C9',
      'The menu schedule must have a day of week.',
      'The menu schedule period must have a start time.',
      'The menu schedule period must have an end time.',
      'The menu must have an identifier.',
      'The category must have an external id.',
      'The category must have a name.',
      'The category data item external id does not exist: I9',
      'The category data item must have a price value.',
      'The item must have an external id.',
      'The item must have a name.',
      'The item image url must be a string.',
      'The item schedule must be an object.',
      'The item must have a price value.',
      'The item data modifier group must have an external id.',
      'The item data modifier group must have a min quantity value.',
      'The item data modifier group must have a max quantity value.',
      'The modifier group must have an external id.',
      'The modifier group must have a name.',
      'The modifier group must have a min quantity value.',
      'The modifier group must have a max quantity value.',
      'The modifier group data option must have an external id.',
      'The modifier group data option external id does not exist: I8',
    ]);
  });

  test('a repetition is reported at the second occurrence and each later one', () => {
    const item = EXAMPLE_MENU.items[1];
    const menu = { ...EXAMPLE_MENU, items: [...EXAMPLE_MENU.items, item, item] };
    expect(problemsOf(menu).shown.map(({ pointer }) => pointer)).toEqual([
      '/items/2/external_id',
      '/items/3/external_id',
    ]);
    expect(problemsOf(menu).sentences).toEqual(['The item external id is repeated: I2']);
  });
});

/** The example with more items, all without a name. */
function nameless(count: number) {
  const items = Array.from({ length: count }, (_, n) => ({
    ...EXAMPLE_MENU.items[1],
    external_id: `N${n}`,
    name: '',
  }));
  return { ...EXAMPLE_MENU, items: [...EXAMPLE_MENU.items, ...items] };
}

/** The example with a category of items that do not exist. */
function dangling(count: number) {
  const data_items = Array.from({ length: count }, (_, n) => ({ item_external_id: `X${n}` }));
  return { ...EXAMPLE_MENU, categories: [{ ...EXAMPLE_MENU.categories[0], data_items }] };
}

describe('answers', () => {
  test('list identical sentences once, but for problem+json each with its place', () => {
    const problems = problemsOf(nameless(3));
    expect(toSentences(problems)).toEqual(['The item must have a name.']);
    expect(toProblemDetails(problems)).toEqual(
      [0, 1, 2].map((n) => ({
        code: 'required',
        pointer: `/items/${n + 2}/name`,
        detail: 'The item must have a name.',
        external_id: `N${n}`,
      })),
    );
  });

  test.each([
    [50, undefined],
    [51, 'There is 1 more error.'],
    [62, 'There are 12 more errors.'],
  ])('with %d errors end with %s', (count, last) => {
    const problems = problemsOf(dangling(count));
    const sentences = toSentences(problems);
    expect(sentences).toHaveLength(last === undefined ? 50 : 51);
    expect(sentences[50]).toBe(last);
    expect(toProblemDetails(problems)).toHaveLength(50);
    expect(problems.omitted).toHaveLength(count - 50);
  });

  test('count all different sentences, however far into the menu', () => {
    const menu = { ...nameless(500), categories: dangling(49).categories };
    expect(toSentences(problemsOf(menu))).toHaveLength(50);
    expect(toSentences(problemsOf(menu)).at(-1)).toBe('The item must have a name.');
    // All but one of the sentences come once, so that what is left out has the other.
    expect(problemsOf(menu).omitted).toEqual([
      { detail: 'The item must have a name.', count: 499 },
    ]);
  });
});

test('no two rules share a sentence, so each sentence identifies its rule', () => {
  const sentences = ALL_MENU_RULES.map(({ sentence }) => sentence);
  expect(new Set(sentences).size).toBe(sentences.length);
});
