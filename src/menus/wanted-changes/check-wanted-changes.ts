import { LIMITS } from '../../../schemas/limits';
import { DETAIL_NAMES } from '../details';
import { checkDetails } from '../rules/check-details';
import { checkPrice, checkText, isAbsent } from '../rules/check-values';
import type { MenuProblems } from '../rules/menu-problems';
import type { MenuCheckOptions } from '../rules/rule';
import { type IdIndex, isObject, report, startWalk, type Walk } from '../rules/walk';
import { CHANGE_RULES } from './change-rules';
import {
  CHANGED_MEMBERS,
  type WantedChanges,
  type WantedItemChange,
  type WantedOptionPrice,
} from './wanted-changes';

export type ChangesVerdict =
  | { readonly ok: true; readonly changes: WantedChanges }
  | { readonly ok: false; readonly problems: MenuProblems };

type Fields = Readonly<Record<string, unknown>>;

/** Which items exist is known once the menu is: the ids that a bundle names are looked for then (`applyChanges`). */
class AnyItem extends Map<string, number> {
  override get(): number {
    return 0;
  }
}
const ANY_ITEM: IdIndex = new AnyItem();

/**
 * Checks a request that changes single items by the rules of a menu, in document order, one problem a value. Of elements
 * with the same ids the last counts.
 */
export function checkWantedChanges(
  items: readonly unknown[],
  options: readonly unknown[],
  settings: MenuCheckOptions,
): ChangesVerdict {
  const body = { menus: [], categories: [], items, modifier_groups: [], options };
  const walk = startWalk(body, settings, ANY_ITEM);
  for (walk.i = 0; walk.i < items.length; walk.i++) checkItem(walk, items[walk.i]);
  for (walk.i = 0; walk.i < options.length; walk.i++) checkOption(walk, options[walk.i]);
  const problems = walk.problems.result();
  if (problems.count > 0) return { ok: false, problems };
  return { ok: true, changes: toWantedChanges(items as Fields[], options as Fields[]) };
}

function checkItem(walk: Walk, item: unknown): void {
  const rules = CHANGE_RULES.item;
  if (!isObject(item)) return report(walk, rules.notObject);
  const id = checkText(walk, item['external_id'], rules.externalId);
  if (Object.hasOwn(item, 'name')) checkText(walk, item['name'], rules.name);
  checkText(walk, item['description'], rules.description);
  checkText(walk, item['image_url'], rules.imageUrl);
  if (Object.hasOwn(item, 'price')) {
    if (isAbsent(item['price'])) report(walk, rules.priceRequired);
    else checkPrice(walk, item['price'], rules.price);
  }
  checkMenuPrices(walk, item['prices_by_menu']);
  checkDetails(walk, item['details']);
  if (id !== undefined && !hasChange(item)) report(walk, rules.nothingToChange, id);
}

function checkMenuPrices(walk: Walk, prices: unknown): void {
  const rules = CHANGE_RULES.item;
  if (prices === undefined || prices === null) return;
  if (!Array.isArray(prices)) return report(walk, rules.menuPrices.notArray);
  if (prices.length > LIMITS.menus) return report(walk, rules.menuPrices.tooMany);
  for (walk.j = 0; walk.j < prices.length; walk.j++) checkMenuPrice(walk, prices[walk.j]);
}

function checkMenuPrice(walk: Walk, price: unknown): void {
  const rules = CHANGE_RULES.item.menuPrice;
  if (!isObject(price)) return report(walk, rules.notObject);
  checkText(walk, price['identifier'], rules.identifier);
  const value = price['price'];
  if (value !== undefined && value !== null) checkPrice(walk, value, rules.price);
}

function checkOption(walk: Walk, option: unknown): void {
  const rules = CHANGE_RULES.option;
  if (!isObject(option)) return report(walk, rules.notObject);
  checkText(walk, option['modifier_group_external_id'], rules.groupId);
  const id = checkText(walk, option['item_external_id'], rules.itemId);
  const { price } = option;
  if (price === undefined) {
    if (id !== undefined) report(walk, rules.nothingToChange, id);
  } else if (price !== null) checkPrice(walk, price, rules.price);
}

function hasChange(item: Fields): boolean {
  return CHANGED_MEMBERS.some((name) => {
    const value = item[name];
    if (name === 'details' && isObject(value)) return pick(value, DETAIL_NAMES) !== undefined;
    return value !== undefined && !(Array.isArray(value) && value.length === 0);
  });
}

/** The only place where a body becomes `WantedChanges`: all that it has of these members was just checked. */
function toWantedChanges(items: readonly Fields[], options: readonly Fields[]): WantedChanges {
  const wantedItems = items.map((item) => {
    const details = isObject(item['details'])
      ? pick(item['details'], DETAIL_NAMES)
      : item['details'];
    const known = { ...item, details };
    return pick(known, ['external_id', ...CHANGED_MEMBERS]) as unknown as WantedItemChange;
  });
  const wantedOptions = options.map(
    (option) =>
      pick(option, [
        'modifier_group_external_id',
        'item_external_id',
        'price',
      ]) as unknown as WantedOptionPrice,
  );
  return {
    items: lastOfEach(wantedItems, (item) => item.external_id),
    options: lastOfEach(wantedOptions, (option) =>
      JSON.stringify([option.modifier_group_external_id, option.item_external_id]),
    ),
  };
}

/** These members, as far as they are there; undefined if none is. */
function pick(fields: Fields, names: readonly string[]): Fields | undefined {
  const known = names.filter((name) => fields[name] !== undefined);
  return known.length === 0
    ? undefined
    : Object.fromEntries(known.map((name) => [name, fields[name]]));
}

function lastOfEach<T>(list: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const last = new Map<string, T>();
  for (const each of list) {
    last.delete(keyOf(each));
    last.set(keyOf(each), each);
  }
  return [...last.values()];
}
