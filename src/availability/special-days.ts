/** The special days of a store: what may be asked for, and which days an app gets when. Pure. */

import type { FromSchema } from 'json-schema-to-ts';
import type { specialDaysSchema } from '../../schemas/special-days';
import type { SpecialDay } from '../delivery-apps/app-client';
import { dayAfter, startOfDay } from '../platform/text/time-zone';
import type { LocatedDetail } from '../platform/validation/field-refusal';
import { HINTS } from '../platform/validation/hints';

/** A day as it is sent, stored and answered: closed, or open in these periods only. */
export interface StoredDay {
  /** `yyyy-MM-dd`, a day of the store's time zone. */
  readonly date: string;
  readonly closed?: true;
  readonly periods?: SpecialDay['periods'];
  readonly name?: string;
}

type SentDay = FromSchema<typeof specialDaysSchema>['days'][number];

/** What is wrong with the days of a request. `today`: in the store; null: it is not known, so no date is looked at. */
export function findDayProblems(days: readonly SentDay[], today: string | null): LocatedDetail[] {
  const problems: LocatedDetail[] = [];
  const dates = new Set<string>();
  for (const [index, { date, closed, periods }] of days.entries()) {
    const pointer = `/days/${index}`;
    const isOutside = today !== null && (date < today || date > yearAfter(today));
    if (isOutside || dates.has(date)) problems.push(wrong(`${pointer}/date`, 'date', date));
    dates.add(date);
    const isOpen = periods != null && periods.length > 0;
    if (closed === true && isOpen) problems.push(wrong(`${pointer}/closed`, 'closed', closed));
    if (closed !== true && !isOpen) {
      const detail = 'The periods field is required.';
      problems.push({ code: 'required', pointer: `${pointer}/periods`, detail });
    }
    if (isOpen && !areApart(periods)) {
      problems.push(wrong(`${pointer}/periods`, 'periods', undefined));
    }
  }
  return problems;
}

function wrong(
  pointer: string,
  field: 'date' | 'closed' | 'periods',
  value: unknown,
): LocatedDetail {
  const detail = `The selected ${field} is invalid.`;
  return {
    code: 'invalid',
    pointer,
    detail,
    ...(value !== undefined && { value }),
    hint: HINT_OF[field],
  };
}

const HINT_OF = {
  date: HINTS.specialDate,
  closed: HINTS.closedOrPeriods,
  periods: HINTS.periods,
} as const;

/** Whether each period ends after it begins, and none begins before another has ended. */
function areApart(periods: SpecialDay['periods']): boolean {
  const inOrder = periods.toSorted((one, other) => (one.start < other.start ? -1 : 1));
  return inOrder.every(({ start, end }, at) => {
    const next = inOrder[at + 1];
    return start < end && (next === undefined || end <= next.start);
  });
}

/** The days of a checked request, without what says nothing. */
export function toStoredDays(days: readonly SentDay[]): readonly StoredDay[] {
  return days.map(({ date, closed, periods, name }) => ({
    date,
    ...(closed === true
      ? { closed }
      : { periods: (periods ?? []).map(({ start, end }) => ({ start, end })) }),
    ...(name != null && name !== '' && { name }),
  }));
}

/** The days that are not over. */
export function daysFrom(days: readonly StoredDay[], today: string): readonly StoredDay[] {
  return days.filter(({ date }) => date >= today);
}

/** The days that an app is told: one that knows days without their year would take that of next year for today. */
export function daysToTell(
  days: readonly StoredDay[],
  today: string,
  { daysHaveNoYear = false }: { readonly daysHaveNoYear?: boolean },
): readonly SpecialDay[] {
  return daysFrom(days, today)
    .filter(({ date }) => !daysHaveNoYear || !isTodayNextYear(date, today))
    .map(({ date, periods = [], name = null }) => ({ date, periods, name }));
}

/** When days are to be looked at again: the first of them is over, or may be told to an app without years. */
export function nextLook(days: readonly StoredDay[], today: string, timeZone: string): Date | null {
  const ends = daysFrom(days, today)
    .map(({ date }) => (isTodayNextYear(date, today) ? today : date))
    .toSorted();
  const [first] = ends;
  return first === undefined ? null : startOfDay(dayAfter(first), timeZone);
}

function isTodayNextYear(date: string, today: string): boolean {
  return date > today && date.slice(4) === today.slice(4);
}

/** The last day that is at most a year ahead; of 29 February, the 28th. */
function yearAfter(day: string): string {
  return `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
}
