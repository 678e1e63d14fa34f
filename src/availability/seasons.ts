/** Seasons of items: when the days of a store turn them. Pure. */

import { isOutOfSeason, type ItemSeason } from '../menus/menu';
import { dayAfter, dayInZone, startOfDay } from '../platform/text/time-zone';

/** An item with a season, as the days of its store have it. */
export interface SeasonState extends ItemSeason {
  readonly isOff: boolean;
  /** When it goes off sale, or comes back; null: never again. */
  readonly turnsAt: Date | null;
}

/** The state of each item at a moment. `timeZone`: of the store; a store with seasons has one. */
export function seasonStates(
  seasons: readonly ItemSeason[],
  now: Date,
  timeZone: string,
): readonly SeasonState[] {
  const today = dayInZone(now, timeZone);
  const starts = new Map<string, Date>();
  const startOf = (day: string): Date => {
    const start = starts.get(day) ?? startOfDay(day, timeZone);
    starts.set(day, start);
    return start;
  };
  return seasons.map((season) => {
    const turn = nextTurn(season, today);
    return {
      ...season,
      isOff: isOutOfSeason(season, today),
      turnsAt: turn === null ? null : startOf(turn),
    };
  });
}

/** The day with whose first moment an item goes off sale or comes back next; null: it never does again. */
function nextTurn({ from, until }: ItemSeason, today: string): string | null {
  if (from !== null && today < from) return from;
  return until !== null && today <= until ? dayAfter(until) : null;
}
