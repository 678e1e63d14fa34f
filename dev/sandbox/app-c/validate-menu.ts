import {
  BrokenRule,
  byId,
  fail,
  isJsonObject,
  type Json,
  notLonger,
  objects,
  oneOf,
  optionalObjects,
  optionalText,
  optionalWhole,
  references,
  requiredText,
  whole,
} from './menu-checks';
import { checkSaleTimes } from './check-sale-times';

export type Entities = ReadonlyMap<string, Json>;

interface Menu {
  readonly menus: Entities;
  readonly categories: Entities;
  readonly items: Entities;
  readonly groups: Entities;
}

/**
 * The first rule of the app that an upload breaks, in the app's words, or `undefined` when it is taken. Knows nothing
 * of our transform: it is written from the app's tables alone. Names of items and groups may be longer than the app
 * shows, and an activity price above the price is taken too: the app changes both in silence.
 */
export function validateMenu(body: unknown): string | undefined {
  try {
    check(body);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRule) return error.message;
    throw error;
  }
}

function check(body: unknown): void {
  if (!isJsonObject(body)) fail('the menu is invalid', '');
  const menu: Menu = {
    menus: byId(objects(body['menus'], 'menus'), 'app_menu_id'),
    categories: byId(objects(body['categories'], 'categories'), 'app_category_id'),
    items: byId(objects(body['items'], 'items'), 'app_item_id'),
    groups: byId(objects(body['modifier_groups'], 'modifier_groups'), 'app_modifier_group_id'),
  };
  checkIds(menu);
  checkLimits(menu);
  for (const [id, entity] of menu.menus) checkMenu(id, entity, menu);
  for (const [id, entity] of menu.categories) checkCategory(id, entity, menu);
  for (const [id, entity] of menu.items) checkItem(id, entity, menu);
  for (const [id, entity] of menu.groups) checkGroup(id, entity, menu);
  checkEveryItemHasCategory(menu);
}

function checkIds(menu: Menu): void {
  for (const entities of Object.values(menu)) {
    for (const id of (entities as Entities).keys()) notLonger(id, 150, 'id', id);
  }
}

function checkLimits({ menus, categories, items, groups }: Menu): void {
  if (menus.size !== 1) fail('there must be exactly 1 menu', '');
  if (categories.size > 20) fail('there are more than 20 categories', '');
  if (items.size > 4000) fail('there are more than 4000 items', '');
  const main = [...items.values()].filter((item) => item['is_sold_separately'] === true);
  if (main.length > 400) fail('there are more than 400 main items', '');
  if (groups.size > 500) fail('there are more than 500 modifier groups', '');
}

function checkMenu(id: string, menu: Json, { categories }: Menu): void {
  const name = requiredText(menu['menu_name'], 'menu name', id);
  notLonger(name, 50, 'menu name', id);
  const ids = menu['app_category_ids'] ?? [];
  references(ids, categories, 'app_category_ids', id);
}

function checkCategory(id: string, category: Json, { items }: Menu): void {
  const name = requiredText(category['category_name'], 'category name', id);
  notLonger(name, 100, 'category name', id);
  const ids = references(category['app_item_ids'], items, 'app_item_ids', id);
  if (ids.length > 300) fail('there are more than 300 items in the category', id);
}

function checkEveryItemHasCategory({ categories, items }: Menu): void {
  const placed = new Set<unknown>();
  for (const category of categories.values()) {
    for (const id of category['app_item_ids'] as readonly unknown[]) placed.add(id);
  }
  for (const id of items.keys()) if (!placed.has(id)) fail('item is in no category', id);
}

/** An item of a menu with these groups. */
export function checkItem(id: string, item: Json, { groups }: Pick<Menu, 'groups'>): void {
  requiredText(item['item_name'], 'item name', id);
  const price = whole(item['price'], 0, 'price', id);
  oneOf(item['status'], [1, 2], 'status', id);
  oneOf(item['is_sold_separately'], [true, false], 'is_sold_separately', id);
  optionalText(item['app_external_id'], 'app_external_id', id);
  notLonger(optionalText(item['short_desc'], 'short_desc', id), 400, 'short_desc', id);
  optionalText(item['head_img'], 'head_img', id);
  checkActivityPrice(item['activity_price'], price, id);
  checkAlcohol(item, id);
  checkTaxes(item, id);
  checkSaleTimes(optionalObjects(item['sold_info_intl'], 'sold_info_intl', id), id);
  references(item['app_modifier_group_ids'] ?? [], groups, 'app_modifier_group_ids', id);
}

/** Alcohol may not be promoted (100105). */
function checkAlcohol({ has_wine: wine, activity_price: activity }: Json, id: string): void {
  if (wine === undefined || wine === null) return;
  oneOf(wine, [0, 1], 'has_wine', id);
  const isPromoted = activity !== undefined && activity !== null;
  if (wine === 1 && isPromoted) fail('activity_price is not allowed on alcohol', id);
}

/** IVA has two rates, IEPS any up to 100 %; each once. */
function checkTaxes({ tax_info_list: list, tax_rate: rate }: Json, id: string): void {
  optionalWhole(rate, 0, 'tax_rate', id);
  const types = new Set<unknown>();
  for (const tax of optionalObjects(list, 'tax_info_list', id)) {
    oneOf(tax['type'], [1, 2], 'tax_info_list type', id);
    if (types.has(tax['type'])) fail('tax_info_list type is repeated', id);
    types.add(tax['type']);
    const percent = whole(tax['rate'], 0, 'tax_info_list rate', id);
    if (tax['type'] === 1 ? percent !== 0 && percent !== 1_600 : percent > 10_000) {
      fail('tax_info_list rate is invalid', id);
    }
  }
}

function checkActivityPrice(value: unknown, price: number, id: string): void {
  if (value === undefined || value === null) return;
  const activity = whole(value, 1, 'activity_price', id);
  // Above the price it is no promotion, and the app takes the item without one.
  if (activity > price) return;
  if (BigInt(price - activity) * 100n < BigInt(price)) {
    fail('activity_price is less than 1% below price', id);
  }
}

/** A group of a menu with these items. */
export function checkGroup(id: string, group: Json, { items }: Pick<Menu, 'items'>): void {
  requiredText(group['modifier_group_name'], 'modifier group name', id);
  oneOf(group['buy_mode'], [0, 1], 'buy_mode', id);
  oneOf(group['is_required'] ?? 2, [1, 2], 'is_required', id);
  optionalText(group['app_external_id'], 'app_external_id', id);
  const min = whole(group['quantity_min_permitted'] ?? 0, 0, 'quantity_min_permitted', id);
  const max = group['quantity_max_permitted'];
  if (max !== undefined && max !== null) {
    if (whole(max, 0, 'quantity_max_permitted', id) < min) {
      fail('quantity_max_permitted is less than quantity_min_permitted', id);
    }
  }
  const options = optionalObjects(group['app_mg_items'], 'app_mg_items', id);
  const ids = options.map((option) => option['app_item_id']);
  references(ids, items, 'app_mg_items', id);
  for (const option of options) {
    optionalWhole(option['price'], 0, 'app_mg_items price', id);
    optionalWhole(option['purchase_limit'], 1, 'purchase_limit', id);
  }
}
