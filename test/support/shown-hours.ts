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

/** Whether the same minutes of the week are meant, in however many periods. `bothEndsCount`: as App A counts them. */
export function sameHours(
  one: readonly ShownHours[],
  other: readonly ShownHours[],
  bothEndsCount = false,
): boolean {
  return textOf(one, bothEndsCount) === textOf(other, bothEndsCount);
}

function textOf(hours: readonly ShownHours[], bothEndsCount: boolean): string {
  return hours
    .map(({ day, periods }) => {
      const runs: number[] = [];
      for (const { start, end } of periods.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
        const until = minuteOf(end) + (bothEndsCount ? 1 : 0);
        if (minuteOf(start) <= (runs.at(-1) ?? -1)) runs.pop();
        else runs.push(minuteOf(start));
        runs.push(until);
      }
      return [day, ...runs].join();
    })
    .join(' ');
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
