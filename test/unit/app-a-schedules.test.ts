import * as fc from 'fast-check';
import { DAYS_OF_WEEK, type DayOfWeek, type Schedule } from '../../src/menus/menu';
import { shortPeriods, toServiceAvailability } from '../../src/delivery-apps/app-a/schedules';
import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';

describe('opening hours for App A', () => {
  it.each<[string, readonly Schedule[]]>([
    ['an hour, both ends counting', [on('monday', '10:00-10:59')]],
    ['61 minutes across midnight', [on('monday', '23:30-23:59'), on('tuesday', '00:00-00:30')]],
    ['an hour from Sunday into Monday', [on('monday', '00:00-00:29'), on('sunday', '23:30-23:59')]],
    ['a minute before a whole day', [on('monday', '23:59-23:59'), on('tuesday', '00:00-23:59')]],
    ['a minute after a whole day', [on('sunday', '00:00-23:59'), on('monday', '00:00-00:00')]],
    ['neighbours on one day, which are one run', [on('monday', '10:00-10:30', '10:31-11:30')]],
    [
      'two periods before midnight and one after it',
      [on('monday', '23:30-23:44', '23:45-23:59'), on('tuesday', '00:00-00:30')],
    ],
    ['a week without end', DAYS_OF_WEEK.map((day) => on(day, '00:00-23:59'))],
  ])('are long enough: %s', (_, schedules) => {
    expect(shortPeriods(schedules)).toEqual([]);
    expect(firstBrokenRule(menuOpen(schedules))).toBeNull();
  });

  it.each<[string, readonly Schedule[], readonly string[]]>([
    ['59 minutes', [on('monday', '10:00-10:58')], ['monday 10:00-10:58']],
    ['one minute', [on('monday', '00:00-00:00')], ['monday 00:00-00:00']],
    [
      '59 minutes across midnight',
      [on('monday', '23:30-23:59'), on('tuesday', '00:00-00:28')],
      ['monday 23:30-23:59', 'tuesday 00:00-00:28'],
    ],
    [
      'periods of one day with a minute between them',
      [on('monday', '10:00-10:29', '10:31-11:30')],
      ['monday 10:00-10:29'],
    ],
    [
      'midnight of days that do not follow each other',
      [on('monday', '23:30-23:59'), on('wednesday', '00:00-00:30')],
      ['monday 23:30-23:59', 'wednesday 00:00-00:30'],
    ],
  ])('are too short: %s', (_, schedules, short) => {
    expect(shortPeriods(schedules)).toEqual(short);
    expect(firstBrokenRule(menuOpen(schedules))).toMatch(/^Short Hours: menu M1 /);
  });

  it('are refused by our rule exactly when the app refuses them', () => {
    fc.assert(
      fc.property(weeks(), (schedules) => {
        const refusal = firstBrokenRule(menuOpen(schedules)) ?? '';
        expect(shortPeriods(schedules).length > 0).toBe(refusal.startsWith('Short Hours'));
      }),
    );
  });

  it('have each day once, Monday first, with unchanged periods and without closed days', () => {
    expect(
      toServiceAvailability([
        on('sunday', '18:00-23:59'),
        on('monday', '12:00-15:00', '09:00-11:00'),
        on('tuesday'),
        on('monday', '18:00-20:00'),
      ]),
    ).toEqual([
      {
        day_of_week: 'monday',
        time_periods: [
          { start_time: '12:00', end_time: '15:00' },
          { start_time: '09:00', end_time: '11:00' },
          { start_time: '18:00', end_time: '20:00' },
        ],
      },
      { day_of_week: 'sunday', time_periods: [{ start_time: '18:00', end_time: '23:59' }] },
    ]);
  });
});

function on(day: DayOfWeek, ...periods: readonly string[]): Schedule {
  return {
    day_of_week: day,
    periods: periods.map((period) => {
      const [start = '', end = ''] = period.split('-');
      return { start, end };
    }),
  };
}

/** Weeks with periods around midnight and around the limit, at least one day open. */
function weeks(): fc.Arbitrary<readonly Schedule[]> {
  const night = fc.constantFrom('00:00-00:10', '00:00-00:29', '00:00-00:59', '00:00-02:00');
  const noon = fc.constantFrom('11:00-11:58', '11:00-11:59', '11:00-15:00');
  const evening = fc.constantFrom('22:00-23:59', '23:00-23:59', '23:30-23:59', '23:50-23:59');
  const dayLong = fc.constant(['00:00-23:59']);
  const parts = fc
    .tuple(fc.option(night), fc.option(noon), fc.option(evening))
    .map((all) => all.filter((period) => period !== null));
  return fc
    .array(fc.oneof({ weight: 5, arbitrary: parts }, dayLong), { minLength: 7, maxLength: 7 })
    .map((days) => DAYS_OF_WEEK.map((day, index) => on(day, ...(days[index] ?? []))))
    .filter((week) => week.some(({ periods }) => periods.length > 0));
}

function menuOpen(schedules: readonly Schedule[]): unknown {
  return {
    menus: [
      {
        id: 'M1',
        title: { translations: { en_us: 'Menu' } },
        service_availability: toServiceAvailability(schedules),
        category_ids: [],
      },
    ],
    categories: [],
    items: [],
    modifier_groups: [],
  };
}
