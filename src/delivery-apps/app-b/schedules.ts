import { DAYS_OF_WEEK, type DayOfWeek, type Period, type Schedule } from '../../menus/menu';
import { byStart, wholePeriods } from '../whole-periods';
import type { Shift } from './wire';

export interface MergedWeek {
  readonly shifts: readonly Shift[];
  /** The day whose periods are used for the whole week; undefined if no day has any. */
  readonly leadingDay: DayOfWeek | undefined;
  /** Days that will be shown with hours although they have none, in week order. */
  readonly openedDays: readonly DayOfWeek[];
  /** Days that will be shown with hours other than their own, in week order. */
  readonly changedDays: readonly DayOfWeek[];
}

const EVERY_DAY: Readonly<Record<DayOfWeek, true>> = {
  monday: true,
  tuesday: true,
  wednesday: true,
  thursday: true,
  friday: true,
  saturday: true,
  sunday: true,
};

const NO_HOURS: MergedWeek = {
  shifts: [],
  leadingDay: undefined,
  openedDays: [],
  changedDays: [],
};

/**
 * The app has the same hours every day: we use Monday's, or those of the first day that has any. Every period of that
 * day becomes a separate window, so lunch and dinner survive. A day without periods was closed and
 * will be open.
 */
export function mergeWeek(schedules: readonly Schedule[]): MergedWeek {
  // Most items have no hours of their own.
  if (schedules.length === 0) return NO_HOURS;
  const week = new Map(DAYS_OF_WEEK.map((day) => [day, periodsOf(schedules, day)]));
  const leadingDay = DAYS_OF_WEEK.find((day) => week.get(day)?.length);
  if (!leadingDay) return NO_HOURS;
  const leading = week.get(leadingDay) ?? [];
  const wanted = textOf(leading);
  return {
    shifts: leading.map(({ start, end }) => ({ start_time: start, end_time: end, ...EVERY_DAY })),
    leadingDay,
    openedDays: DAYS_OF_WEEK.filter((day) => !week.get(day)?.length),
    changedDays: DAYS_OF_WEEK.filter((day) => {
      const periods = week.get(day) ?? [];
      return periods.length > 0 && textOf(periods) !== wanted;
    }),
  };
}

/** All periods of a day, which may come from several schedules, ordered by time. */
function periodsOf(schedules: readonly Schedule[], day: DayOfWeek): readonly Period[] {
  return schedules
    .filter((schedule) => schedule.day_of_week === day)
    .flatMap((schedule) => schedule.periods)
    .toSorted(byStart);
}

/** The same text for the same hours: periods that touch are one. */
function textOf(periods: readonly Period[]): string {
  return wholePeriods(periods, 0)
    .map(({ start, end }) => `${start}-${end}`)
    .join(' ');
}
