import { DAYS_OF_WEEK, type MenuDocument, type Schedule } from '../menus/menu';
import type { LossBook } from './losses';
import type { MenuIndex } from './menu-index';
import type { UsedEntities } from './unused-entities';
import { wholePeriods } from './whole-periods';

/** Represents the hours of menus that differ. */
const DIFFERENT = '';

/**
 * One `item_schedule_ignored` per used item whose own hours differ from those of a menu that contains it, for an app
 * with hours on menus only: equal hours lose nothing. An item that is only an option is in no menu, so its hours are
 * lost. `gapMinutes`: see `wholePeriods`.
 */
export function reportItemHours(
  { menus }: Pick<MenuDocument, 'menus'>,
  index: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
  gapMinutes: 0 | 1 = 0,
): void {
  const timed = [...index.items].filter(([id, { entity }]) => {
    return used.items.has(id) && (entity.schedules?.length ?? 0) > 0;
  });
  if (timed.length === 0) return;
  const ofCategory = new Map<string, string>();
  for (const menu of menus) {
    const hours = hoursText(menu.schedules, gapMinutes);
    for (const id of new Set(menu.category_external_ids)) join(ofCategory, id, hours);
  }
  const wanted = new Set(timed.map(([id]) => id));
  const ofItem = new Map<string, string>();
  for (const [categoryId, hours] of ofCategory) {
    for (const { item_external_id: id } of index.categories.get(categoryId)?.entity.data_items ??
      []) {
      if (wanted.has(id)) join(ofItem, id, hours);
    }
  }
  for (const [id, { entity, ref }] of timed) {
    if (hoursText(entity.schedules ?? [], gapMinutes) !== ofItem.get(id)) {
      losses.add('item_schedule_ignored', ref);
    }
  }
}

function join(hoursOf: Map<string, string>, id: string, hours: string): void {
  const known = hoursOf.get(id);
  hoursOf.set(id, known === undefined || known === hours ? hours : DIFFERENT);
}

/** The same text for the same hours, regardless of their order and of how many schedules and periods say them. */
function hoursText(schedules: readonly Schedule[], gapMinutes: 0 | 1): string {
  return DAYS_OF_WEEK.map((day) => {
    const periods = schedules
      .filter((schedule) => schedule.day_of_week === day)
      .flatMap((schedule) => schedule.periods);
    return wholePeriods(periods, gapMinutes)
      .map(({ start, end }) => `${start}-${end}`)
      .toSorted()
      .join();
  }).join(' ');
}
