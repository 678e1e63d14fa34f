import { refuse } from './broken-rule';
import { WEEKDAYS, type SentMenuEntry, type SentWeekday } from './read-menu';

const MINUTES_A_DAY = 24 * 60;
const MINUTES_A_WEEK = 7 * MINUTES_A_DAY;
const SHORTEST_MINUTES = 60;

/** A stretch of the week in minutes since Monday 00:00, `end` not included. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/**
 * Refuses a menu that is never open, or open for less than an hour at a time. Both ends of a period count; a stretch
 * may continue over midnight, also from Sunday to Monday.
 */
export function checkHours(menu: SentMenuEntry): void {
  if (menu.days.length === 0) refuse(`No Hours: menu ${menu.id}`);
  const empty = menu.days.find(({ periods }) => periods.length === 0);
  if (empty) refuse(`No Hours: menu ${menu.id} ${empty.day}`);
  if (new Set(menu.days.map(({ day }) => day)).size < menu.days.length) {
    refuse(`Invalid Request: menu ${menu.id} has a day twice`);
  }
  const stretches = menu.days.flatMap(({ day, periods }) =>
    periods.map(({ start, end }) => stretchOf(menu.id, day, start, end)),
  );
  const short = joinAtMidnight(stretches).find(({ start, end }) => end - start < SHORTEST_MINUTES);
  if (short) refuse(`Short Hours: menu ${menu.id} ${short.label}`);
}

function stretchOf(menuId: string, day: SentWeekday, start: string, end: string): Stretch {
  if (start > end) refuse(`Invalid Time: menu ${menuId} ${day} ${start}-${end}`);
  const midnight = WEEKDAYS.indexOf(day) * MINUTES_A_DAY;
  return {
    start: midnight + minutesOf(start),
    end: midnight + minutesOf(end) + 1,
    label: `${day} ${start}-${end}`,
  };
}

/** Walks the week once around; a stretch that runs over Sunday's midnight ends beyond the week. */
function joinAtMidnight(stretches: readonly Stretch[]): readonly Stretch[] {
  const week = [...stretches].toSorted((a, b) => a.start - b.start);
  const joined: Stretch[] = [];
  for (const stretch of week) {
    const last = joined.at(-1);
    if (last && goesOnAs(last, stretch)) joined[joined.length - 1] = join(last, stretch);
    else joined.push(stretch);
  }
  const [first, last] = [joined[0], joined.at(-1)];
  if (!first || !last || first === last) return joined;
  const again = { ...first, start: first.start + MINUTES_A_WEEK, end: first.end + MINUTES_A_WEEK };
  return goesOnAs(last, again) ? [...joined.slice(1, -1), join(last, again)] : joined;
}

function goesOnAs(before: Stretch, after: Stretch): boolean {
  return before.end === after.start && after.start % MINUTES_A_DAY === 0;
}

function join(before: Stretch, after: Stretch): Stretch {
  return { start: before.start, end: after.end, label: `${before.label} ${after.label}` };
}

function minutesOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}
