import type { MenuDocument } from '../menus/menu';
import type { LossBook } from './losses';
import { indexMenu, type MenuIndex } from './menu-index';

/** POS ids of the entities that a guest can reach from a menu. */
export interface UsedEntities {
  readonly categories: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/**
 * Follows menus → categories → items → modifier groups → options → their groups. A reference from an unreachable
 * entity does not count, because apps refuse an item that is in no category and no group. With `nestedGroups: false`
 * the groups of an option count only if it is also sold by itself.
 */
export function findUsedEntities(
  document: MenuDocument,
  index: MenuIndex = indexMenu(document),
  { nestedGroups }: { readonly nestedGroups: boolean } = { nestedGroups: true },
): UsedEntities {
  const categories = new Set<string>();
  const items = new Set<string>();
  const groups = new Set<string>();
  // A list instead of recursion: groups may nest deeper than the stack allows.
  const open: string[] = [];
  for (const menu of document.menus) {
    for (const id of menu.category_external_ids) {
      if (index.categories.has(id)) categories.add(id);
    }
  }
  for (const id of categories) {
    for (const { item_external_id } of index.categories.get(id)?.entity.data_items ?? []) {
      open.push(item_external_id);
    }
  }
  const options = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const item = index.items.get(id)?.entity;
    if (!item || items.has(id)) continue;
    items.add(id);
    for (const { modifier_group_external_id: groupId } of item.data_modifier_groups) {
      const group = index.groups.get(groupId)?.entity;
      if (!group || groups.has(groupId)) continue;
      groups.add(groupId);
      for (const option of group.data_options) {
        if (nestedGroups) open.push(option.item_external_id);
        else if (index.items.has(option.item_external_id)) options.add(option.item_external_id);
      }
    }
  }
  for (const id of options) items.add(id);
  return { categories, items, groups };
}

/** POS ids of the items in a used category; all other used items are only options. */
export function soldItems(index: MenuIndex, used: UsedEntities): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const categoryId of used.categories) {
    for (const { item_external_id: id } of index.categories.get(categoryId)?.entity.data_items ??
      []) {
      if (index.items.has(id)) ids.add(id);
    }
  }
  return ids;
}

/** POS ids of the items that a used group offers as options. */
export function offeredItems(index: MenuIndex, used: UsedEntities): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const groupId of used.groups) {
    for (const { item_external_id: id } of index.groups.get(groupId)?.entity.data_options ?? []) {
      ids.add(id);
    }
  }
  return ids;
}

/**
 * One `entity_unused` for each entity that no menu uses, in document order. `used` are the entities of all menus, with
 * those of nested groups, as what an app has no place for is not unused: another loss names it.
 */
export function reportUnusedEntities(index: MenuIndex, used: UsedEntities, losses: LossBook): void {
  for (const [list, ids] of [
    [index.categories, used.categories],
    [index.items, used.items],
    [index.groups, used.groups],
  ] as const) {
    for (const [id, { ref }] of list) {
      if (!ids.has(id)) losses.add('entity_unused', ref);
    }
  }
}
