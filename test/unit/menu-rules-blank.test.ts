import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { AS_ORDERED, put } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';

/** Nobody sees any of these: blanks, line ends, fillers, marks of direction, tags, variation selectors. */
const BLANKS = [
  ' ',
  '\t\r\n',
  '\u00a0\u2003\u3000',
  '\u200b\u200d\ufeff',
  '\u00ad',
  '\u3164',
  '\u202e',
  '\u{e0020}',
  '\ufe0f',
];

function sentencesAfter(path: string, value: unknown): readonly string[] {
  const verdict = checkMenu(applyChanges(EXAMPLE_MENU, [put(path, value)]) as MenuBody, AS_ORDERED);
  return verdict.ok ? [] : verdict.problems.sentences;
}

test.each([
  ['/menus/0/name', 'The menu must have a name.'],
  ['/menus/0/identifier', 'The menu must have an identifier.'],
  ['/menus/0/category_external_ids/0', 'The menu category external id must be a string.'],
  ['/categories/0/name', 'The category must have a name.'],
  [
    '/categories/0/data_items/0/item_external_id',
    'The category data item must have an external id.',
  ],
  ['/items/1/name', 'The item must have a name.'],
  ['/items/1/external_id', 'The item must have an external id.'],
  [
    '/items/0/data_modifier_groups/0/modifier_group_external_id',
    'The item data modifier group must have an external id.',
  ],
  ['/modifier_groups/0/name', 'The modifier group must have a name.'],
  [
    '/modifier_groups/0/data_options/0/item_external_id',
    'The modifier group data option must have an external id.',
  ],
])('what nobody sees counts as absent: %s', (path, sentence) => {
  for (const blank of ['', ...BLANKS, BLANKS.join('')]) {
    expect(sentencesAfter(path, blank)).toContain(sentence);
  }
});

test('one visible character is enough', () => {
  for (const blank of BLANKS) {
    for (const name of [`${blank}é`, `🍔${blank}`, `${blank}.${blank}`]) {
      expect(sentencesAfter('/items/1/name', name)).toEqual([]);
    }
  }
});

test('a long row of blanks is judged in time linear in its length', () => {
  const startedAt = performance.now();
  expect(sentencesAfter('/items/1/name', '\u200b'.repeat(5_000_000))).toEqual([
    'The item must have a name.',
  ]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a description may be blank', () => {
  expect(sentencesAfter('/items/0/description', ' \u200b')).toEqual([]);
});
