import { DAYS_OF_WEEK, type Schedule } from '../../menus/menu';
import { byStart } from '../whole-periods';

/** App C's hours of an item. Days are 1 (Monday) to 7; an empty `time` means the whole day. */
export interface SaleTimes {
  readonly time: readonly { readonly begin: string; readonly end: string }[];
  readonly day: readonly number[];
}

/**
 * The weekly schedule in App C's form: days with equal periods share an entry, periods ascend, and a closed day has
 * no entry. A day in several schedules has all of their periods.
 */
export function toSaleTimes(schedules: readonly Schedule[]): SaleTimes[] {
  const entries = new Map<string, { time: SaleTimes['time']; day: number[] }>();
  DAYS_OF_WEEK.forEach((name, index) => {
    const periods = schedules
      .filter((schedule) => schedule.day_of_week === name)
      .flatMap((schedule) => schedule.periods)
      .toSorted(byStart);
    // A day without periods is closed and must not become an entry, because App C reads an empty `time` as open all
    // day.
    if (periods.length === 0) return;
    const time = periods.map(({ start, end }) => ({ begin: start, end }));
    const key = JSON.stringify(time);
    const entry = entries.get(key);
    if (entry) entry.day.push(index + 1);
    else entries.set(key, { time, day: [index + 1] });
  });
  return [...entries.values()];
}
