import { applyChanges } from '../../src/menus/rules/example-changes';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import { put } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';
import { type CheckedMenu, toCheckedMenu } from '../../src/uploads/checked-menu';
import { readFieldMenu } from '../support/field-menu';

type Refused = Extract<CheckedMenu, { ok: false }>;

function refusalOf(menu: unknown): Refused {
  const checked = toCheckedMenu(menu as MenuBody, Buffer.alloc(0), {
    MENU_EQUAL_QUANTITIES: 'refuse',
    MENU_ZERO_PRICES: 'refuse',
  });
  if (checked.ok) throw new Error('no rule is broken');
  return checked;
}

const HUNDREDTHS = 'Hundredths as digits: 10.30 is "1030".';
const TIME = 'HH:MM from 00:00 to 23:59; a night ends at 23:59 and goes on the next day at 00:00.';
const DAY = 'One of monday, tuesday, wednesday, thursday, friday, saturday, sunday.';
const COUNT = 'A whole number as digits: three is "3".';

describe('an error of a menu says where it is, what was sent and what to write', () => {
  test.each([
    [
      '05-negative-modifier-small-size',
      [
        [
          'reg',
          '/items/1/price/value',
          '0',
          'Allowed only if the operator sets MENU_ZERO_PRICES=accept.',
        ],
        ['small', '/items/2/price/value', '-150', HUNDREDTHS],
        [
          'size',
          '/modifier_groups/0/quantity/max_quantity',
          '1',
          'Allowed only if the operator sets MENU_EQUAL_QUANTITIES=accept.',
        ],
      ],
    ],
    [
      '06-option-without-price',
      [
        [
          'nosalt',
          '/items/1/price',
          undefined,
          'An object with hundredths as digits: 10.30 is {"value": "1030"}.',
        ],
      ],
    ],
    [
      '08d-until-24-00',
      [
        ['m', '/menus/0/schedules/0/periods/0/end', '24:00', TIME],
        ['m', '/menus/0/schedules/1/periods/0/start', '11:30', TIME],
      ],
    ],
    [
      '33-empty-category-and-group',
      [
        [
          'g',
          '/modifier_groups/0/data_options',
          undefined,
          'A group without options is left out, and so is what refers to it.',
        ],
      ],
    ],
    [
      '45b-minus-one-limits',
      [
        ['a', '/items/0/data_modifier_groups/0/quantity/min_quantity', '-1', COUNT],
        ['a', '/items/0/data_modifier_groups/0/quantity/max_quantity', '-1', COUNT],
      ],
    ],
    [
      '46-numbers-instead-of-strings',
      [
        ['a', '/items/0/price/value', 1.5, HUNDREDTHS],
        ['b', '/items/1/price/value', '5/8', HUNDREDTHS],
        ['c', '/items/2/price/value', '5.10', HUNDREDTHS],
        ['d', '/items/3/price/value', '$7', HUNDREDTHS],
      ],
    ],
    [
      '51-look-alike-ids',
      [
        [
          'c',
          '/categories/0/data_items/0/item_external_id',
          'Cafe\u0301',
          'Did you mean "Caf\u00e9"? It is written differently.',
        ],
      ],
    ],
    [
      '58-time-and-day-spellings',
      [
        ['m', '/menus/0/schedules/0/day_of_week', 'Monday', DAY],
        ['m', '/menus/0/schedules/0/periods/0/start', '9:00', TIME],
        ['m', '/menus/0/schedules/0/periods/0/end', '22:00:00', TIME],
      ],
    ],
  ])('%s', (name, expected) => {
    const { details } = refusalOf(readFieldMenu(name).menu);
    expect(details.map((each) => [each.external_id, each.pointer, each.value, each.hint])).toEqual(
      expected,
    );
  });

  test('08a-five-pm-to-one-am: each night of the week', () => {
    const { details, sentences } = refusalOf(readFieldMenu('08a-five-pm-to-one-am').menu);
    expect(sentences).toHaveLength(1);
    expect(details).toHaveLength(7);
    for (const [day, each] of details.entries()) {
      const pointer = `/menus/0/schedules/${day}/periods/0/start`;
      expect(each).toMatchObject({ external_id: 'm', pointer, value: '17:00', hint: TIME });
    }
  });
});

describe('an id that is nearly the wanted one is named', () => {
  test.each([
    ['case', 'BACON', 'bacon'],
    ['case of another alphabet', 'ЧАЙ', 'чай'],
    ['a blank at the end', 'Bacon ', 'Bacon'],
    ['a blank that nobody sees', 'Ba\u200bcon', 'Bacon'],
    ['Unicode form', 'Cafe\u0301', 'Caf\u00e9'],
    ['full width', 'Ａ１', 'A1'],
    ['a line end', 'Bacon', 'Bacon\n', String.raw`Bacon\u000a`],
  ])('%s', (_, reference, id, shown = id) => {
    const menu = applyChanges(EXAMPLE_MENU, [
      put('/items/-', { ...EXAMPLE_MENU.items[1], external_id: id }),
      put('/categories/0/data_items/0/item_external_id', reference),
    ]);
    const hint = `Did you mean "${shown}"? It is written differently.`;
    expect(refusalOf(menu).details).toMatchObject([{ code: 'unknown_reference', hint }]);
  });

  test('but not for an id of another kind, or one that is really unknown', () => {
    for (const reference of ['g1', 'I3']) {
      const path = '/categories/0/data_items/0/item_external_id';
      const { details } = refusalOf(applyChanges(EXAMPLE_MENU, [put(path, reference)]));
      expect(details).toHaveLength(1);
      expect(details[0]).not.toHaveProperty('hint');
    }
  });
});

describe('the value', () => {
  test.each([
    ['a number', 42, 42],
    ['true', true, true],
    ['a text, cut', 'x'.repeat(1_000_000), 'x'.repeat(100)],
    ['a small list', ['12900'], ['12900']],
    ['but no large one', Array.from({ length: 300_000 }, () => 1), undefined],
    ['but nothing that is missing', '', undefined],
    ['but blanks, which nobody would see', ' \u200b', ' \u200b'],
  ])('is as it was sent: %s', (_, sent, shown) => {
    const menu = applyChanges(EXAMPLE_MENU, [
      put('/items/0/external_id', 'I9'),
      put('/items/-', { ...EXAMPLE_MENU.items[0] }),
      put('/items/-/name', sent),
    ]);
    const details = refusalOf(menu).details.filter(({ pointer }) => pointer?.endsWith('/name'));
    expect(details.map(({ value }) => value)).toEqual(
      typeof sent === 'string' && sent.length === 1_000_000 ? [shown] : [shown],
    );
  });
});

test('of many errors the first of every sentence comes first, and what is left out is counted', () => {
  const nameless = Array.from({ length: 200 }, (_, n) => ({
    ...EXAMPLE_MENU.items[1],
    external_id: `N${n}`,
    name: '',
  }));
  const groups = [{ ...EXAMPLE_MENU.modifier_groups[0], external_id: 'G2', name: '' }];
  const { details, omitted } = refusalOf({
    ...EXAMPLE_MENU,
    items: [...EXAMPLE_MENU.items, ...nameless],
    modifier_groups: [...EXAMPLE_MENU.modifier_groups, ...groups],
  });
  expect(details).toHaveLength(50);
  expect(details.slice(0, 3).map(({ pointer }) => pointer)).toEqual([
    '/items/2/name',
    '/modifier_groups/1/name',
    '/items/3/name',
  ]);
  expect(omitted).toEqual([{ detail: 'The item must have a name.', count: 151 }]);
});

test('of more sentences than an answer has room for, fifty are counted and the others summed up', () => {
  const data_items = Array.from({ length: 1_000 }, (_, n) => ({ item_external_id: `X${n}` }));
  const categories = [{ ...EXAMPLE_MENU.categories[0], data_items }];
  const { details, omitted } = refusalOf({ ...EXAMPLE_MENU, categories });
  expect(details).toHaveLength(50);
  expect(omitted).toHaveLength(51);
  expect(omitted[0]).toEqual({
    detail: 'The category data item external id does not exist: X50',
    count: 1,
  });
  expect(omitted[50]).toEqual({ detail: 'There are 900 more errors.', count: 900 });
});
