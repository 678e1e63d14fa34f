import fc from 'fast-check';
import { applyChanges } from '../../src/menus/rules/example-changes';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';
import type { MenuProblem } from '../../src/menus/rules/menu-problems';
import { put } from '../../src/menus/rules/rule';
import type { MenuBody } from '../../src/menus/rules/walk';

type Period = readonly [start: unknown, end: unknown];

const day = (day_of_week: string, ...of: readonly Period[]) => ({
  day_of_week,
  periods: of.map(([start, end]) => ({ start, end })),
});

function problemsWith(
  owner: 'menu' | 'item',
  schedules: readonly unknown[],
): readonly MenuProblem[] {
  const menu = applyChanges(EXAMPLE_MENU, [put(`/${owner}s/0/schedules`, schedules)]);
  const verdict = checkMenu(menu as MenuBody, { equalQuantities: 'refuse' });
  return verdict.ok ? [] : verdict.problems.shown;
}

const sentencesWith = (...schedules: readonly unknown[]) =>
  problemsWith('menu', schedules).map(({ sentence }) => sentence);

const COLLISION = 'Collisions were found between the periods defined for the menu schedule.';

describe('collisions', () => {
  test('are found between the schedules of one day, at the later period', () => {
    const problems = problemsWith('item', [
      day('monday', ['09:00', '12:00']),
      day('tuesday', ['09:00', '12:00']),
      day('monday', ['18:00', '20:00'], ['11:59', '13:00']),
    ]);
    expect(problems).toEqual([
      {
        code: 'collision',
        sentence: 'Collisions were found between the periods defined for the item schedule.',
        pointer: '/items/0/schedules/2/periods/1',
        externalId: 'I1',
        value: { start: '11:59', end: '13:00' },
      },
    ]);
  });

  test('do not include adjacent periods', () => {
    expect(sentencesWith(day('monday', ['12:00', '15:00'], ['09:00', '12:00']))).toEqual([]);
  });

  test('are not searched between menus, or between a menu and its items', () => {
    expect(problemsWith('item', EXAMPLE_MENU.menus[0]?.schedules ?? [])).toEqual([]);
  });

  test('are found where a plain comparison of all pairs finds them', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const period = fc.tuple(minute, minute).filter(([start, end]) => start < end);
    const someDay = fc.constantFrom('monday', 'tuesday');
    fc.assert(
      fc.property(fc.array(fc.tuple(someDay, period), { minLength: 1, maxLength: 6 }), (week) => {
        const collide = week.some(([a, [start, end]], n) =>
          week.slice(n + 1).some(([b, [from, to]]) => a === b && start < to && from < end),
        );
        const found = sentencesWith(
          ...week.map(([name, [start, end]]) => day(name, [clock(start), clock(end)])),
        );
        expect(found).toEqual(collide ? found.map(() => COLLISION) : []);
        expect(found.length > 0).toBe(collide);
      }),
    );
  });
});

function clock(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(11, 16);
}

describe('times', () => {
  test.each(['24:00', '9:00', '09:60', '0900', '09:00:00', '09.00', ' 9:00', '٠٩:٠٠', '-1:00'])(
    '%j has no valid format',
    (time) => {
      expect(sentencesWith(day('monday', [time, '23:59']))).toEqual([
        'The menu schedule period start time does not have a valid format.',
      ]);
    },
  );

  test('reach from 00:00 to 23:59', () => {
    expect(sentencesWith(day('monday', ['00:00', '23:59']))).toEqual([]);
  });

  test('start must be before end, and both are named', () => {
    expect(sentencesWith(day('monday', ['18:00', '09:00'], ['10:00', '10:00']))).toEqual([
      'The menu schedule period start time must be before the end time, start(18:00) - end(09:00)',
      'The menu schedule period start time must be before the end time, start(10:00) - end(10:00)',
    ]);
  });

  test('of a period are reported absent ones first, then wrong types, then wrong formats', () => {
    expect(sentencesWith(day('monday', [900, undefined]))).toEqual([
      'The menu schedule period must have an end time.',
      'The menu schedule period start time must be a string.',
    ]);
    expect(sentencesWith(day('monday', ['25:00', 1800]))).toEqual([
      'The menu schedule period end time must be a string.',
      'The menu schedule period start time does not have a valid format.',
    ]);
  });
});

test('the periods of an unknown day are checked, but collide with nothing', () => {
  expect(
    sentencesWith(day('Monday', ['09:00', '12:00'], ['10:00', '11:00'], ['x', '12:00'])),
  ).toEqual([
    'The day of the week of this menu schedule is not valid: Monday',
    'The menu schedule period start time does not have a valid format.',
  ]);
});
