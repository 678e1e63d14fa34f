import { DETAIL_NAMES, type DetailName, type ItemDetails } from '../menus/details';
import type { Item } from '../menus/menu';
import type { LossBook } from './losses';
import type { Indexed, MenuIndex } from './menu-index';
import type { UsedEntities } from './unused-entities';

/** One `detail_ignored` for each member of a used item's details that the app does not show of it. */
export function reportIgnoredDetails(
  { items }: MenuIndex,
  used: UsedEntities,
  losses: LossBook,
  isShown: (name: DetailName, item: Indexed<Item>) => boolean,
): void {
  for (const [id, item] of items) {
    const { details } = item.entity;
    if (!details || !used.items.has(id)) continue;
    for (const name of DETAIL_NAMES) {
      if (isStated(details[name]) && !isShown(name, item)) losses.addDetail(item.ref, name);
    }
  }
}

/** Empty lists, and objects without anything in them, say nothing. */
function isStated(value: ItemDetails[DetailName]): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((member) => (member ?? '') !== '');
  }
  return (value ?? '') !== '';
}

/** An object without the members that are undefined; undefined itself if none is left. */
export function statedOnly<T extends object>(members: {
  readonly [Name in keyof T]: T[Name] | undefined;
}): T | undefined {
  const stated = Object.entries(members).filter(([, member]) => member !== undefined);
  return stated.length === 0 ? undefined : (Object.fromEntries(stated) as T);
}
