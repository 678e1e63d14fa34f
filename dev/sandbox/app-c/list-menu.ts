import type { OffItem } from '../store-states';
import { isJsonObject, type Json } from './menu-checks';

/**
 * `data` of the list of menus of a shop, JSON text: by the upload's names, each list by id, with what is off sale now.
 * It has no word about alcohol, portions and how often an option may be chosen.
 */
export function listedMenu(payload: Buffer | null, off: readonly OffItem[]): string {
  const menu = payload ? (JSON.parse(payload.toString('utf8')) as Json) : {};
  const offIds = new Set(off.map(({ id }) => id));
  return JSON.stringify({
    menus: listOf(menu['menus'], 'app_menu_id'),
    categories: listOf(menu['categories'], 'app_category_id'),
    items: listOf(menu['items'], 'app_item_id').map((item) => listedItem(item, offIds)),
    modifier_groups: listOf(menu['modifier_groups'], 'app_modifier_group_id').map(listedGroup),
  });
}

function listedItem(
  { has_wine: _wine, size: _size, ...item }: Json,
  off: ReadonlySet<string>,
): Json {
  return { ...item, status: off.has(String(item['app_item_id'])) ? 2 : 1 };
}

function listedGroup({ app_mg_items: options, ...group }: Json): Json {
  const listed = (Array.isArray(options) ? options : [])
    .filter(isJsonObject)
    .map(({ purchase_limit: _limit, ...option }) => option);
  return { ...group, app_mg_items: listed };
}

/** The app lists in an order of its own. */
function listOf(value: unknown, id: string): readonly Json[] {
  return (Array.isArray(value) ? value : [])
    .filter(isJsonObject)
    .toSorted((one, other) => (String(one[id]) < String(other[id]) ? -1 : 1));
}
