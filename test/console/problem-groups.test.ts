import { groupProblems } from '../../src/console/problem-groups';
import { AppError } from '../../src/platform/errors';

test('errors are grouped by sentence: how often each is true, where, what was sent and what to write', () => {
  const detail = 'The item price value must be greater than 0.';
  const at = (n: number, value: unknown, hint: string) => ({
    code: 'not_positive',
    pointer: `/items/${n}/price/value`,
    detail,
    external_id: `I${n}`,
    value,
    hint,
  });
  const other = {
    code: 'required',
    pointer: '/menus/0/name',
    detail: 'The menu must have a name.',
  };
  const error = new AppError('menu_invalid', [detail], {
    details: [at(0, '5/8', 'A'), other, at(1, 'a\u202eb', 'A')],
    omitted: [
      { detail, count: 3 },
      { detail: 'There are 9 more errors.', count: 9 },
    ],
  });
  expect(groupProblems(error)).toEqual([
    {
      sentence: detail,
      count: 5,
      hints: ['A'],
      places: [
        { pointer: '/items/0/price/value', externalId: 'I0', sent: '"5/8"' },
        { pointer: '/items/1/price/value', externalId: 'I1', sent: String.raw`"a\u202eb"` },
      ],
    },
    {
      sentence: other.detail,
      count: 1,
      hints: [],
      places: [{ pointer: '/menus/0/name', externalId: null, sent: null }],
    },
    { sentence: 'There are 9 more errors.', count: 9, hints: [], places: [] },
  ]);
});

test('an error without places is its sentences', () => {
  expect(groupProblems(new AppError('malformed_body', 'The request body is empty.'))).toEqual([
    { sentence: 'The request body is empty.', count: 1, hints: [], places: [] },
  ]);
});
