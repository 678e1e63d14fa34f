import { isCalendarDate } from '../../platform/validation/formats';
import type { DayRules } from './season-rules';
import { checkDetails } from './check-details';
import { checkSchedules } from './check-schedules';
import {
  checkBoolean,
  checkGroupQuantity,
  checkList,
  checkPrice,
  checkQuantity,
  checkReference,
  checkText,
  isAbsent,
} from './check-values';
import { MENU_RULES } from './menu-rules';
import type { MenuRule } from './rule';
import type { RequiredTextRules } from './menu-sentences';
import { isObject, report, type IdIndex, type Walk } from './walk';
import { isBlank } from '../../platform/text/blank';
import { LONGEST_UNTIL_MS, parseInstant } from '../../platform/text/instant';
import { LIMITS } from '../../../schemas/limits';

/** Checks the menu `walk.i`. */
export function checkMenuEntity(walk: Walk, menu: unknown): void {
  const rules = MENU_RULES.menu;
  if (!isObject(menu)) return report(walk, rules.notObject);
  checkText(walk, menu['name'], rules.name);
  checkText(walk, menu['description'], rules.description);

  const ids = checkList(walk, menu['category_external_ids'], rules.categoryIds, false);
  if (ids.length > LIMITS.categoriesOfMenu) report(walk, rules.categoryIds.tooMany);
  else {
    for (walk.j = 0; walk.j < ids.length; walk.j++) checkCategoryId(walk, ids[walk.j]);
  }

  const schedules = checkList(walk, menu['schedules'], rules.schedules, false);
  checkSchedules(walk, schedules, rules.schedule);
  checkOwnId(walk, menu['identifier'], rules.identifier, walk.menus);
}

function checkCategoryId(walk: Walk, id: unknown): void {
  const rules = MENU_RULES.menu.categoryId;
  // Unlike an absent field, an empty entry is there, and entries must be texts.
  const isEmpty = id === null || (typeof id === 'string' && isBlank(id));
  if (isEmpty) report(walk, rules.notString);
  else checkReference(walk, id, rules, walk.categories);
}

/** Checks the category `walk.i`. */
export function checkCategory(walk: Walk, category: unknown): void {
  const rules = MENU_RULES.category;
  if (!isObject(category)) return report(walk, rules.notObject);
  checkOwnId(walk, category['external_id'], rules.externalId, walk.categories);
  checkText(walk, category['name'], rules.name);
  checkText(walk, category['description'], rules.description);
  const dataItems = checkList(walk, category['data_items'], rules.dataItems, true);
  for (walk.j = 0; walk.j < dataItems.length; walk.j++) checkDataItem(walk, dataItems[walk.j]);
}

function checkDataItem(walk: Walk, dataItem: unknown): void {
  const rules = MENU_RULES.category.dataItem;
  if (!isObject(dataItem)) return report(walk, rules.notObject);
  checkReference(walk, dataItem['item_external_id'], rules.itemId, walk.items);
  const price = dataItem['price'];
  if (price !== undefined && price !== null) checkPrice(walk, price, rules.price);
}

/** Checks the item `walk.i`. */
export function checkItem(walk: Walk, item: unknown): void {
  const rules = MENU_RULES.item;
  if (!isObject(item)) return report(walk, rules.notObject);
  checkOwnId(walk, item['external_id'], rules.externalId, walk.items);
  checkText(walk, item['name'], rules.name);
  checkText(walk, item['description'], rules.description);
  checkText(walk, item['image_url'], rules.imageUrl);

  const schedules = item['schedules'];
  if (Array.isArray(schedules)) checkSchedules(walk, schedules, rules.schedule);
  else if (schedules !== undefined && schedules !== null) report(walk, rules.schedulesNotArray);

  if (isAbsent(item['price'])) report(walk, rules.priceRequired);
  else checkPrice(walk, item['price'], rules.price);

  const groups = checkList(walk, item['data_modifier_groups'], rules.dataGroups, true);
  for (walk.j = 0; walk.j < groups.length; walk.j++) checkDataGroup(walk, groups[walk.j]);

  checkAvailability(walk, item['available'], item['unavailable_until']);
  checkSeason(walk, item['visible_from'], item['visible_until']);
  checkDetails(walk, item['details']);
}

function checkAvailability(walk: Walk, available: unknown, until: unknown): void {
  const rules = MENU_RULES.item.availability;
  checkBoolean(walk, available, rules.notBoolean);
  if (isAbsent(until)) return;
  if (typeof until !== 'string') return report(walk, rules.untilNotString);
  const moment = parseInstant(until);
  if (moment === undefined) return report(walk, rules.untilInvalid);
  if (available !== false) return report(walk, rules.untilNotAllowed);
  const aheadMs = moment.getTime() - walk.now;
  if (aheadMs <= 0) report(walk, rules.untilPassed);
  else if (aheadMs > LONGEST_UNTIL_MS) report(walk, rules.untilTooFar);
}

function checkSeason(walk: Walk, from: unknown, until: unknown): void {
  const rules = MENU_RULES.item.season;
  const [first, last] = [checkDay(walk, from, rules.from), checkDay(walk, until, rules.until)];
  if (first !== undefined && last !== undefined && last < first) {
    report(walk, rules.untilBeforeFrom);
  }
}

/** A day of the calendar that need not be there, if it is valid. */
function checkDay(walk: Walk, day: unknown, rules: DayRules): string | undefined {
  if (isAbsent(day)) return undefined;
  if (typeof day !== 'string') report(walk, rules.notString);
  else if (!isCalendarDate(day)) report(walk, rules.invalid);
  else return day;
  return undefined;
}

function checkDataGroup(walk: Walk, dataGroup: unknown): void {
  const rules = MENU_RULES.item.dataGroup;
  if (!isObject(dataGroup)) return report(walk, rules.notObject);
  checkReference(walk, dataGroup['modifier_group_external_id'], rules.groupId, walk.groups);
  const quantity = dataGroup['quantity'];
  if (quantity !== undefined && quantity !== null) {
    checkGroupQuantity(walk, quantity, rules.quantity);
  }
}

/** Checks the modifier group `walk.i`. */
export function checkModifierGroup(walk: Walk, group: unknown): void {
  const rules = MENU_RULES.modifierGroup;
  if (!isObject(group)) return report(walk, rules.notObject);
  checkOwnId(walk, group['external_id'], rules.externalId, walk.groups);
  checkText(walk, group['name'], rules.name);
  const quantity = group['quantity'];
  checkGroupQuantity(walk, isAbsent(quantity) ? NO_QUANTITY : quantity, rules.quantity);

  const options = checkList(walk, group['data_options'], rules.options, false);
  if (options.length > LIMITS.optionsOfGroup) return report(walk, rules.options.tooMany);
  for (walk.j = 0; walk.j < options.length; walk.j++) checkOption(walk, options[walk.j]);
}

const NO_QUANTITY = {};

function checkOption(walk: Walk, option: unknown): void {
  const rules = MENU_RULES.modifierGroup.option;
  if (!isObject(option)) return report(walk, rules.notObject);
  const item = checkReference(walk, option['item_external_id'], rules.itemId, walk.items);
  if (item !== undefined && !walk.hasNestedGroups) walk.hasNestedGroups = hasGroups(walk, item);
  const { price, quantity } = option;
  if (price !== undefined && price !== null) checkPrice(walk, price, rules.price);
  if (quantity !== undefined && quantity !== null) checkQuantity(walk, quantity, rules.quantity);
}

function hasGroups({ body }: Walk, itemIndex: number): boolean {
  const item = body.items[itemIndex];
  const groups = isObject(item) ? item['data_modifier_groups'] : undefined;
  return Array.isArray(groups) && groups.length > 0;
}

interface OwnIdRules extends RequiredTextRules {
  readonly repeated: MenuRule;
}

/** The index has the first entity of each id, so any other entity with it is a repetition. */
function checkOwnId(walk: Walk, value: unknown, rules: OwnIdRules, index: IdIndex): void {
  const id = checkText(walk, value, rules);
  if (id !== undefined && index.get(id) !== walk.i) report(walk, rules.repeated, id);
}
