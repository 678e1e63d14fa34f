import type { ShownHours } from '../../src/delivery-apps/shown';
import { DAYS_OF_WEEK, type Schedule } from '../../src/menus/menu';

/** The hours that schedules say, day by day and in order of time. */
export function hoursOf(schedules: readonly Schedule[]): readonly ShownHours[] {
  return DAYS_OF_WEEK.flatMap((day) => {
    const periods = schedules
      .filter((schedule) => schedule.day_of_week === day)
      .flatMap((schedule) => schedule.periods)
      .toSorted((one, other) => (one.start < other.start ? -1 : 1));
    return periods.length > 0 ? [{ day, periods }] : [];
  });
}

export function sameHours(one: readonly ShownHours[], other: readonly ShownHours[]): boolean {
  return textOf(one) === textOf(other);
}

function textOf(hours: readonly ShownHours[]): string {
  return hours
    .map(({ day, periods }) => [day, ...periods.map(({ start, end }) => `${start}-${end}`)].join())
    .join(' ');
}
