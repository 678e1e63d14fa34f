import type { Period } from '../menus/menu';

/**
 * The periods of one day with those joined that leave no gap: one begins at the end of another, or up to `gapMinutes`
 * later (1 where both ends of a period count). In order of time if any were joined, otherwise as they are.
 */
export function wholePeriods(periods: readonly Period[], gapMinutes: 0 | 1): readonly Period[] {
  if (periods.length < 2) return periods;
  const whole: Period[] = [];
  for (const period of periods.toSorted(byStart)) {
    const last = whole.at(-1);
    if (!last || minuteOfDay(period.start) > minuteOfDay(last.end) + gapMinutes) whole.push(period);
    else if (period.end > last.end) whole.splice(-1, 1, { start: last.start, end: period.end });
  }
  return whole.length === periods.length ? periods : whole;
}

/** Minutes since midnight of `hh:mm`. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** `hh:mm` with two digits each can be sorted as text. */
export function byStart(one: Period, other: Period): number {
  return one.start < other.start ? -1 : one.start > other.start ? 1 : 0;
}
