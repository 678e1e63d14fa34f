import { reportDroppedGroups } from '../dropped-groups';
import { reportOptionPromotions, reportOptionQuantities } from '../ignored-fields';
import { fitTexts } from '../fit-texts';
import { reportSoldForNothing } from '../free-items';
import { createLossBook, type EntityRef } from '../losses';
import { reportIgnoredDetails } from '../item-details';
import { indexMenu } from '../menu-index';
import { namedPrices, reportPriceConflicts } from '../prices';
import { reportRepeatedReferences } from '../repeated-references';
import { reportSplitGroups, splitGroups, usedAsSent } from '../split-groups';
import type { ItemIds, TransformInput, TransformResult } from '../types';
import { findUsedEntities, reportUnusedEntities, soldItems } from '../unused-entities';
import { showsDetail } from './details';
import { exceededLimits } from './exceeded-limits';
import { planGroups } from '../group-copies';
import { placeOptions } from './option-categories';
import { NESTED, planOptions } from './plan-options';
import { LIMITS, TEXT_LENGTHS } from './rules';
import { toGroups } from './to-groups';
import { toItems } from './to-items';
import type { TransformContext } from './transform-context';
import type { WireCategory, WirePayload } from './wire';

/**
 * Turns a canonical menu into App C's payload, without its token, and the losses. Options are items of an extra
 * category where there is room for one, each sold item has the menu's hours, an item is in one category only, and limits that an item sets for a
 * group make a copy of the group. Of several menus only the first is in the payload, which is then not sent
 * (`second_menu_refused`); a menu over the app's limits has no payload (null).
 */
export function transformForAppC(
  input: TransformInput,
  losses = createLossBook(),
): TransformResult {
  const [menu, ...refused] = input.menu.menus;
  refused.forEach(({ identifier }, position) => {
    losses.add('second_menu_refused', menuRef(identifier, position + 1));
  });
  const document = { ...input.menu, menus: menu ? [menu] : [] };
  const sent = indexMenu(document);
  const index = splitGroups(sent, { longestId: LIMITS.idLength });
  const nestedGroups = (input.levels ?? 1) > 1;
  const used = findUsedEntities(document, index, { nestedGroups });
  const sold = soldItems(index, used);
  const options = nestedGroups ? NESTED : planOptions(index, used, sold, losses);
  const prices = namedPrices(document.menus, index);
  const payload = menu
    ? toPayload({ input, menu, index, used, sold, options, losses, prices: prices[0] })
    : NO_MENU;
  const usedIds = usedAsSent(index, used);
  if (!nestedGroups) reportDroppedGroups(sent, usedIds, losses);
  reportPriceConflicts(document.menus, prices, index, losses);
  const priced = { menus: document.menus, prices, index, nestedGroups };
  reportSoldForNothing('sold_for_nothing', priced, losses);
  reportRepeatedReferences(sent, usedIds, losses);
  reportSplitGroups(index, used, losses);
  reportOptionPromotions(index, used, losses);
  reportOptionQuantities(sent, usedIds, losses);
  reportIgnoredDetails(sent, usedIds, losses, showsDetail);
  reportUnusedEntities(sent, findUsedEntities(input.menu, sent), losses);
  return { payload, losses: losses.list(), itemIds: itemIdsOf(payload) };
}

/** Japan: the app requires a `tax_rate` there of every item, and a guess would be wrong on every receipt. */
const NEEDS_TAX_RATE = '_jp';
const NO_MENU: WirePayload = { menus: [], categories: [], items: [], modifier_groups: [] };

function toPayload(context: TransformContext): WirePayload | null {
  const { input, menu, index, used, losses } = context;
  const ref = menuRef(menu.identifier, 0);
  if (input.store.locale.endsWith(NEEDS_TAX_RATE) && !hasTaxes(context)) {
    losses.add('limit_exceeded', ref, 'items need a tax rate in this country');
    return null;
  }
  const { name } = fitTexts(losses, ref, { name: menu.name }, TEXT_LENGTHS.menu);
  if (menu.description) losses.add('description_dropped', ref);
  const menuCategories = toCategories(context);
  const plan = planGroups(index, used, context.options.plain, losses, LIMITS.idLength);
  const items = toItems(context, plan);
  const options = items.filter((item) => !item.is_sold_separately).map((item) => item.app_item_id);
  const categories = placeOptions(menuCategories, options);
  const payload: WirePayload = {
    menus: [
      {
        app_menu_id: menu.identifier,
        menu_name: name,
        app_category_ids: categories.map((category) => category.app_category_id),
      },
    ],
    categories,
    items,
    modifier_groups: toGroups(context, plan),
  };
  const exceeded = exceededLimits(menu, payload, index, used);
  for (const limit of exceeded) losses.add('limit_exceeded', limit.ref, limit.detail);
  // Copies share their options in memory but not as text: a menu far over the limits would become gigabytes.
  return exceeded.length === 0 ? payload : null;
}

function hasTaxes({ index, used }: TransformContext): boolean {
  return [...used.items].every((id) => index.items.get(id)?.entity.details?.tax);
}

function itemIdsOf(payload: WirePayload | null): ItemIds {
  const ids = new Map<string, string[]>();
  for (const { app_item_id: wireId, app_external_id: externalId = wireId } of payload?.items ??
    []) {
    ids.set(externalId, [...(ids.get(externalId) ?? []), wireId]);
  }
  return ids;
}

function menuRef(externalId: string, index: number): EntityRef {
  return { kind: 'menu', index, externalId };
}

/**
 * In the menu's order, which the app shows. An item stays in its first category: the app refuses a menu with an item
 * in two.
 */
function toCategories(context: TransformContext): readonly WireCategory[] {
  const { index, used, losses } = context;
  const placed = new Set<string>();
  return [...used.categories].flatMap((id) => {
    const category = index.categories.get(id);
    if (!category) return [];
    const { entity, ref } = category;
    if (entity.description) losses.add('description_dropped', ref);
    const named = entity.data_items.map((reference) => reference.item_external_id);
    const itemIds = [...new Set(named)].filter((itemId) => {
      const item = index.items.get(itemId);
      if (item && placed.has(itemId)) losses.add('item_category_dropped', item.ref);
      return !placed.has(itemId);
    });
    for (const itemId of itemIds) placed.add(itemId);
    return [
      {
        app_category_id: id,
        category_name: fitTexts(losses, ref, { name: entity.name }, TEXT_LENGTHS.category).name,
        app_item_ids: itemIds,
      },
    ];
  });
}
