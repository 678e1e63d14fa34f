import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { category, group, item, transform } from './app-a-menus';

/** I0 in a category, with as many levels of groups below it. */
function nested(levels: number) {
  const numbers = Array.from({ length: levels }, (_, n) => n);
  return transform({
    categories: [category('C1', [{ item_external_id: 'I0' }])],
    items: [...numbers.map((n) => item(`I${n}`, '100', [`G${n}`])), item(`I${levels}`, '100')],
    modifier_groups: numbers.map((n) => group(`G${n}`, [{ item_external_id: `I${n + 1}` }])),
  });
}

test('six levels of groups are sent, and taken', () => {
  const { payload, losses } = nested(6);
  expect(losses).toEqual([]);
  expect(firstBrokenRule(payload)).toBeNull();
});

test('a seventh blocks the item that is sold, and the simulated app refuses it', () => {
  const { payload, losses } = nested(7);
  expect(losses).toMatchObject([
    {
      code: 'limit_exceeded',
      severity: 'block',
      pointer: '/items/0',
      message:
        'The item is over a limit of this delivery, more than 6 levels of modifier groups: I0',
    },
  ]);
  expect(firstBrokenRule(payload)).toBe('Too Many Levels: modifier groups nest deeper than 6');
});

test('a chain of thousands is found as fast', () => {
  expect(nested(4_000).losses.map(({ code }) => code)).toEqual(['limit_exceeded']);
});

test('what nobody sells may nest as it likes', () => {
  const deep = nested(7);
  expect(deep.losses).toHaveLength(1);
  const { losses } = transform({
    items: [
      item('I1', '100'),
      ...Array.from({ length: 8 }, (_, n) => item(`X${n}`, '100', n < 7 ? [`G${n}`] : [])),
    ],
    modifier_groups: Array.from({ length: 7 }, (_, n) =>
      group(`G${n}`, [{ item_external_id: `X${n + 1}` }]),
    ),
  });
  expect(losses.map(({ code }) => code)).not.toContain('limit_exceeded');
});
