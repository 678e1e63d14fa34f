import { DAYS_OF_WEEK, type DayOfWeek, type Period, type Schedule } from '../../menus/menu';
import { minuteOfDay, wholePeriods } from '../whole-periods';
import type { WireServiceAvailability } from './wire';

/** App A refuses a menu with any opening interval under an hour ("Short Hours"). */
const MINIMUM_MINUTES = 60;
/** Both ends of a period count in this app, so one that begins a minute after another leaves no gap. */
export const GAP_MINUTES = 1;
const FIRST_MINUTE = '00:00';
const LAST_MINUTE = '23:59';

/**
 * The week in App A's form: one entry per day, Monday first, without days that have no period. Periods of a day without
 * a gap between them become one, as each of them may be shorter than the app allows; a night is two periods in both
 * formats, one on each side of midnight. Several schedules of a day become one entry, because the app has only one per
 * day.
 */
export function toServiceAvailability(
  schedules: readonly Schedule[],
): readonly WireServiceAvailability[] {
  const week = periodsByDay(schedules);
  return DAYS_OF_WEEK.flatMap((day) => {
    const periods = week.get(day);
    if (periods === undefined) return [];
    return [
      {
        day_of_week: day,
        time_periods: periods.map(({ start, end }) => ({ start_time: start, end_time: end })),
      },
    ];
  });
}

/**
 * The periods that App A would refuse, written like `monday 10:00-10:30`. Both ends count, so 10:00-10:59 is an hour.
 * A run across midnight is measured as one, and Sunday is followed by Monday.
 */
export function shortPeriods(schedules: readonly Schedule[]): readonly string[] {
  const week = periodsByDay(schedules);
  return [...week].flatMap(([day, periods]) =>
    periods
      .filter((period) => runMinutes(week, day, period) < MINIMUM_MINUTES)
      .map(({ start, end }) => `${day} ${start}-${end}`),
  );
}

type Week = ReadonlyMap<DayOfWeek, readonly Period[]>;

function periodsByDay(schedules: readonly Schedule[]): Week {
  const week = new Map<DayOfWeek, Period[]>();
  for (const { day_of_week: day, periods } of schedules) {
    if (periods.length === 0) continue;
    const known = week.get(day);
    if (known) known.push(...periods);
    else week.set(day, [...periods]);
  }
  return new Map([...week].map(([day, periods]) => [day, wholePeriods(periods, GAP_MINUTES)]));
}

/**
 * Minutes of the run that contains a period, up to one hour. Looking one day back and one ahead is enough: a period
 * with neighbours on both sides lasts a whole day.
 */
function runMinutes(week: Week, day: DayOfWeek, period: Period): number {
  let minutes = minutesOf(period);
  if (period.end === LAST_MINUTE) {
    const next = week.get(neighbour(day, 1))?.find(({ start }) => start === FIRST_MINUTE);
    if (next) minutes += minutesOf(next);
  }
  if (period.start === FIRST_MINUTE) {
    const previous = week.get(neighbour(day, -1))?.find(({ end }) => end === LAST_MINUTE);
    if (previous) minutes += minutesOf(previous);
  }
  return minutes;
}

function neighbour(day: DayOfWeek, step: 1 | -1): DayOfWeek {
  const index = (DAYS_OF_WEEK.indexOf(day) + step + DAYS_OF_WEEK.length) % DAYS_OF_WEEK.length;
  return DAYS_OF_WEEK[index] ?? day;
}

function minutesOf({ start, end }: Period): number {
  return minuteOfDay(end) - minuteOfDay(start) + 1;
}
