import { firstBrokenRule } from '../../dev/sandbox/app-a/validate-menu';
import { DAYS_OF_WEEK, type MenuDocument, type Period } from '../../src/menus/menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import { mergeWeek } from '../../src/delivery-apps/app-b/schedules';
import { toServiceAvailability } from '../../src/delivery-apps/app-a/schedules';
import { readFieldMenu, transformFieldMenu } from '../support/field-menu';
import { item, menu, on, STORE } from './app-c-menus';

const period = (text: string): Period => ({ start: text.slice(0, 5), end: text.slice(6) });

describe('periods of a day in App A', () => {
  it.each([
    [['12:00-12:30', '12:30-14:00'], ['12:00-14:00']],
    [['12:00-12:29', '12:30-14:00'], ['12:00-14:00']],
    [['12:30-14:00', '12:00-12:30', '14:01-15:00'], ['12:00-15:00']],
    [
      ['12:00-12:28', '12:30-14:00'],
      ['12:00-12:28', '12:30-14:00'],
    ],
    [
      ['18:00-23:59', '09:00-12:00'],
      ['18:00-23:59', '09:00-12:00'],
    ],
    [
      ['00:00-01:00', '17:00-23:59'],
      ['00:00-01:00', '17:00-23:59'],
    ],
  ])('%j are sent as %j', (sent, expected) => {
    const [monday] = toServiceAvailability([on('monday', ...sent)]);
    expect(monday?.time_periods).toEqual(
      expected.map(period).map(({ start, end }) => ({ start_time: start, end_time: end })),
    );
  });

  it('of half an hour are no short hours when another follows without a gap', () => {
    const { payload, said, shown } = transformFieldMenu(
      'app-a',
      readFieldMenu('22-half-hour-window'),
    );
    expect(said).toEqual([]);
    expect(firstBrokenRule(payload, {})).toBeNull();
    expect(shown.menus[0]?.hours[0]).toEqual({ day: 'monday', periods: [period('12:00-14:00')] });
  });

  it('that an item says in two parts are those of its menu', () => {
    const lists: MenuDocument = {
      menus: [{ ...menu('M1', ['C1']), schedules: [on('monday', '12:00-14:00')] }],
      categories: [{ external_id: 'C1', name: 'Food', data_items: [{ item_external_id: 'I1' }] }],
      items: [
        item('I1', { schedules: [on('monday', '12:30-14:00'), on('monday', '12:00-12:29')] }),
      ],
      modifier_groups: [],
    };
    expect(adapterOf('app-a').transform({ menu: lists, store: STORE }).losses).toEqual([]);
  });
});

/** The menu of a place open from five to one, with a night as two periods. */
function untilOne() {
  const sent = readFieldMenu('08a-five-pm-to-one-am');
  const schedules = DAYS_OF_WEEK.map((day) => on(day, '17:00-23:59', '00:00-01:00'));
  return {
    ...sent,
    menu: { ...sent.menu, menus: sent.menu.menus.map((one) => ({ ...one, schedules })) },
  };
}

test.each(['app-a', 'app-b', 'app-c'] as const)(
  'five to one, as two periods of each day, loses nothing in %s',
  (app) => {
    const { said, payload } = transformFieldMenu(app, untilOne());
    expect(said).toEqual([]);
    expect(app === 'app-a' ? firstBrokenRule(payload, {}) : null).toBeNull();
  },
);

describe('hours that App B has every day', () => {
  it('open a day that is closed, and the loss says so', () => {
    const { said } = transformFieldMenu('app-b', readFieldMenu('56-closed-one-day-of-week'));
    expect(said).toEqual([
      'warn days_merged: The menu is available at the same times every day, those of tuesday, which opens monday: m',
    ]);
  });

  it.each([
    [
      [on('tuesday', '13:00-23:00'), on('friday', '13:00-22:00')],
      'those of tuesday, which opens monday, wednesday, thursday, saturday, sunday and changes friday',
    ],
    [
      DAYS_OF_WEEK.map((day) => on(day, day === 'sunday' ? '13:00-22:00' : '13:00-23:00')),
      'those of monday, which changes sunday',
    ],
  ])('of %j: %s', (schedules, expected) => {
    const { said } = transformFieldMenu('app-b', {
      ...untilOne(),
      menu: {
        ...untilOne().menu,
        menus: untilOne().menu.menus.map((one) => ({ ...one, schedules })),
      },
    });
    expect(said).toEqual([
      `warn days_merged: The menu is available at the same times every day, ${expected}: m`,
    ]);
  });

  it('do not differ by a period that is said in two parts', () => {
    const week = DAYS_OF_WEEK.map((day) =>
      day === 'friday' ? on(day, '12:30-14:00', '12:00-12:30') : on(day, '12:00-14:00'),
    );
    expect(mergeWeek(week)).toMatchObject({ openedDays: [], changedDays: [] });
  });
});
