import { DAYS_OF_WEEK, type DayOfWeek, type Period } from '../menus/menu';
import { isRecord } from './is-record';
import type { ShownHours } from './shown';
import { byStart } from './whole-periods';

/**
 * Reads the fields of an app's menu: our own payload, or the app's answer to what it shows. In the latter anything
 * may be missing, and counts as absent.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** The objects of a list. */
export function objectsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The members of an object; empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The texts of a list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

/** A text; empty if there is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text; null if it is empty or absent. */
export function optionalText(value: unknown): string | null {
  return textOf(value) || null;
}

/** A number such as a limit; 0 if there is none. */
export function countOf(value: unknown): number {
  return optionalCount(value) ?? 0;
}

export function optionalCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/**
 * An amount as the digits that an upload has for it; null if it is not a price. `hundredths`: how many of them the app's
 * unit is.
 */
export function priceDigits(value: unknown, hundredths: number): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  // 10.3 times 100 is not quite 1030 in floating point.
  return String(Math.round(value * hundredths));
}

/** "10.30" as the digits that an upload has for it, "1030"; null if it is not a price. */
export function decimalDigits(value: unknown): string | null {
  const [, units, cents] = /^(\d{1,12})\.(\d\d)$/.exec(textOf(value)) ?? [];
  if (units === undefined || cents === undefined) return null;
  return `${units}${cents}`.replace(/^0+(?=\d)/, '');
}

/** Hours in canonical order: days of the week, then times of the day. */
export function toHours(
  periods: readonly { readonly day: DayOfWeek; readonly period: Period }[],
): readonly ShownHours[] {
  const byDay = new Map<DayOfWeek, Period[]>();
  for (const { day, period } of periods) {
    const known = byDay.get(day);
    if (known) known.push(period);
    else byDay.set(day, [period]);
  }
  return DAYS_OF_WEEK.flatMap((day) => {
    const ofDay = byDay.get(day);
    return ofDay ? [{ day, periods: ofDay.toSorted(byStart) }] : [];
  });
}

/** A count as the digits that an upload has for it. */
export function countDigits(value: unknown): string | undefined {
  const count = optionalCount(value);
  return count === null ? undefined : String(count);
}
