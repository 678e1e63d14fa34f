import type { ShownHours } from '../delivery-apps/shown';
import { DAYS_OF_WEEK } from '../menus/menu';
import { asciiUpper } from '../platform/text/ascii-case';

/**
 * Hours as a sign on a door has them, one line for days in a row that have the same: `Mon–Fri 09:00–22:00`. Of seven
 * equal days: `Every day 09:00–22:00`.
 */
export function hoursWords(hours: readonly ShownHours[]): readonly string[] {
  const runs: { first: number; last: number; periods: string }[] = [];
  for (const { day, periods: each } of hours) {
    const index = DAYS_OF_WEEK.indexOf(day);
    const periods = each.map(({ start, end }) => `${start}–${end}`).join(', ');
    const run = runs.at(-1);
    if (run && run.last === index - 1 && run.periods === periods) run.last = index;
    else runs.push({ first: index, last: index, periods });
  }
  return runs.map(({ first, last, periods }) => `${daysWords(first, last)} ${periods}`);
}

function daysWords(first: number, last: number): string {
  if (last - first === DAYS_OF_WEEK.length - 1) return 'Every day';
  return first === last ? shortDay(first) : `${shortDay(first)}–${shortDay(last)}`;
}

/** monday: Mon */
function shortDay(index: number): string {
  const day = DAYS_OF_WEEK[index] ?? '';
  return `${asciiUpper(day.charAt(0))}${day.slice(1, 3)}`;
}
