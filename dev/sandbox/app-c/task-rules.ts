import { isJsonObject, type Json } from './menu-checks';

/** Why a task fails that the app had accepted: the app's number and the POS id. */
export interface TaskRefusal {
  readonly errno: number;
  readonly id: string;
}

const IN_TWO_CATEGORIES = 80_131;
const TOO_DEEP = 10_051;
const LOOP = 80_149;
const WRONG_BUY_MODE = 10_065;

/**
 * What the app finds only while processing a menu that passed its first filter: items in two categories, and modifier
 * groups that nest deeper than `levels` or in a loop.
 */
export function taskRefusals(menu: Json, levels: number): readonly TaskRefusal[] {
  return [...inTwoCategories(menu), ...badNesting(menu, levels)];
}

/** Groups that the app leaves out of a menu that it takes: a single choice of which more is wanted than it has options. */
export function refusedGroups(menu: Json): readonly TaskRefusal[] {
  return objects(menu['modifier_groups'])
    .filter((group) => {
      const options = objects(group['app_mg_items']).length;
      return group['buy_mode'] === 0 && Number(group['quantity_min_permitted']) > options;
    })
    .map((group) => ({ errno: WRONG_BUY_MODE, id: String(group['app_modifier_group_id']) }));
}

function inTwoCategories(menu: Json): readonly TaskRefusal[] {
  const placed = new Set<string>();
  const repeated = new Set<string>();
  for (const category of objects(menu['categories'])) {
    for (const id of texts(category['app_item_ids'])) (placed.has(id) ? repeated : placed).add(id);
  }
  return [...repeated].map((id) => ({ errno: IN_TWO_CATEGORIES, id }));
}

function badNesting(menu: Json, levels: number): readonly TaskRefusal[] {
  const groupsOf = new Map(
    objects(menu['items']).map((item) => [
      String(item['app_item_id']),
      texts(item['app_modifier_group_ids']),
    ]),
  );
  const optionsOf = new Map(
    objects(menu['modifier_groups']).map((group) => [
      String(group['app_modifier_group_id']),
      objects(group['app_mg_items']).map((option) => String(option['app_item_id'])),
    ]),
  );
  const refusals: TaskRefusal[] = [];
  const depths = new Map<string, number | 'open'>();
  /** How many levels of groups hang below an item; Infinity in a loop. */
  function depthOf(id: string): number {
    const known = depths.get(id);
    if (known === 'open') return Number.POSITIVE_INFINITY;
    if (known !== undefined) return known;
    depths.set(id, 'open');
    const below = (groupsOf.get(id) ?? []).flatMap((group) => [
      1,
      ...(optionsOf.get(group) ?? []).map((option) => 1 + depthOf(option)),
    ]);
    const depth = below.reduce((one, other) => Math.max(one, other), 0);
    depths.set(id, depth);
    return depth;
  }
  for (const item of objects(menu['items'])) {
    const id = String(item['app_item_id']);
    const depth = item['is_sold_separately'] === true ? depthOf(id) : 0;
    if (depth === Number.POSITIVE_INFINITY) refusals.push({ errno: LOOP, id });
    else if (depth > levels) refusals.push({ errno: TOO_DEEP, id });
  }
  return refusals;
}

function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
