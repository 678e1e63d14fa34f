import type { Item, Menu } from '../menus/menu';
import type { LossBook } from './losses';
import { firstOfEach, type Indexed, type MenuIndex } from './menu-index';
import { isFree, type NamedPrices } from './prices';

interface PricedMenus {
  readonly menus: readonly Menu[];
  /** The prices that each of the menus names. */
  readonly prices: readonly NamedPrices[];
  readonly index: MenuIndex;
  /** Whether the app shows the groups of options. */
  readonly nestedGroups: boolean;
}

/**
 * Reports each item that a menu sells at 0 and of which no option costs anything: an app either refuses it
 * (`zero_price_refused`) or gives it to guests for nothing, which somebody should know (`sold_for_nothing`). Returns
 * whether there is one.
 */
export function reportSoldForNothing(
  code: 'zero_price_refused' | 'sold_for_nothing',
  menus: PricedMenus,
  losses: LossBook,
): boolean {
  const items = soldForNothing(menus);
  for (const { ref } of items) losses.add(code, ref);
  return items.length > 0;
}

function soldForNothing(menus: PricedMenus): readonly Indexed<Item>[] {
  const free = soldAtZero(menus);
  if (free.size === 0) return [];
  const paid = itemsWithPaidOptions(menus);
  return [...menus.index.items]
    .filter(([id]) => free.has(id) && !paid.has(id))
    .map(([, item]) => item);
}

/** POS ids of the items that some menu sells at 0, because it says so or because it has only their own price. */
function soldAtZero({ menus, prices, index }: PricedMenus): ReadonlySet<string> {
  const free = new Set<string>();
  for (const named of prices) {
    for (const [id, { price }] of named) if (isFree(price)) free.add(id);
  }
  const ownFree = new Set(
    [...index.items].filter(([, { entity }]) => isFree(entity.price)).map(([id]) => id),
  );
  if (ownFree.size === 0) return free;
  menus.forEach((menu, position) => {
    for (const id of new Set(menu.category_external_ids)) {
      for (const { item_external_id: item } of index.categories.get(id)?.entity.data_items ?? []) {
        if (ownFree.has(item) && !prices[position]?.has(item)) free.add(item);
      }
    }
  });
  return free;
}

/** POS ids of the items on which a guest can choose something that costs money. */
function itemsWithPaidOptions({ index, nestedGroups }: PricedMenus): ReadonlySet<string> {
  const itemsOf = new Map<string, string[]>();
  for (const [id, { entity }] of index.items) {
    for (const { modifier_group_external_id: groupId } of entity.data_modifier_groups) {
      append(itemsOf, groupId, id);
    }
  }
  const offeredBy = new Map<string, string[]>();
  const paidGroups = new Set<string>();
  for (const [id, { entity }] of index.groups) {
    for (const option of firstOfEach(entity.data_options, (one) => one.item_external_id)) {
      const { item_external_id: item } = option;
      append(offeredBy, item, id);
      const price = option.price ?? index.items.get(item)?.entity.price;
      if (price && !isFree(price)) paidGroups.add(id);
    }
  }
  const paid = new Set<string>();
  // A set that grows while it is read: from each group to its items, and from there to the groups that offer those.
  for (const groupId of paidGroups) {
    for (const item of itemsOf.get(groupId) ?? []) {
      if (paid.has(item)) continue;
      paid.add(item);
      for (const other of (nestedGroups && offeredBy.get(item)) || []) paidGroups.add(other);
    }
  }
  return paid;
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
