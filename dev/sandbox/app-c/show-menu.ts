import { isJsonObject, type Json } from './menu-checks';
import { refusedGroups } from './task-rules';

/**
 * The menu as the shop shows it, JSON text: without the token, with names cut in silence (items at 50 characters,
 * groups at 100), without activity prices above the price, and without the items and groups that the task refused.
 */
export function shownMenu(menu: Json, refused: ReadonlySet<string>): Buffer {
  const items = listOf(menu['items']).filter((item) => isShown(item, refused));
  const groups = new Set(refusedGroups(menu).map(({ id }) => id));
  const shown = {
    menus: menu['menus'],
    categories: listOf(menu['categories']).map((category) => ({
      ...category,
      app_item_ids: idsOf(category['app_item_ids']).filter((id) => !refused.has(id)),
    })),
    items: items.map((item) => shownItem(item, groups)),
    modifier_groups: listOf(menu['modifier_groups'])
      .filter((group) => !groups.has(String(group['app_modifier_group_id'])))
      .map((group) => shownGroup(group, refused)),
  };
  return Buffer.from(JSON.stringify(shown));
}

function isShown(option: Json, refused: ReadonlySet<string>): boolean {
  return !refused.has(String(option['app_item_id']));
}

/** An item as the shop shows it. */
export function shownItem(
  { activity_price: activity, ...item }: Json,
  refusedIds: ReadonlySet<string>,
): Json {
  const keep = typeof activity === 'number' && activity <= Number(item['price']);
  return {
    ...item,
    item_name: cut(item['item_name'], 50),
    ...(refusedIds.size > 0 && {
      app_modifier_group_ids: idsOf(item['app_modifier_group_ids']).filter(
        (id) => !refusedIds.has(id),
      ),
    }),
    ...(keep && { activity_price: activity }),
  };
}

/** A group as the shop shows it. */
export function shownGroup(group: Json, refused: ReadonlySet<string>): Json {
  return {
    ...group,
    modifier_group_name: cut(group['modifier_group_name'], 100),
    app_mg_items: listOf(group['app_mg_items']).filter((option) => isShown(option, refused)),
  };
}

function cut(text: unknown, length: number): string {
  return Array.from(String(text)).slice(0, length).join('');
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function idsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
