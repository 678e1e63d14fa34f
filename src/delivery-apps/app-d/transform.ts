import { planGroups } from '../group-copies';
import { reportOptionMinimums, reportPromotions } from '../ignored-fields';
import { createLossBook, type EntityRef } from '../losses';
import { hasGroups, indexMenu } from '../menu-index';
import { namedPrices, reportPriceConflicts } from '../prices';
import { reportRepeatedReferences } from '../repeated-references';
import type { ItemIds, TransformInput, TransformResult } from '../types';
import { findUsedEntities, reportUnusedEntities, soldItems } from '../unused-entities';
import { exceededLimits } from './exceeded-limits';
import { type OptionPlan, planOptions } from './plan-skus';
import { LIMITS } from './rules';
import { toProducts } from './to-products';
import type { TransformContext } from './transform-context';
import type { WirePayload, WireProduct } from './wire';

/**
 * One canonical menu as App D's payload, and everything of it that App D will not show: a product for each item of each
 * category, with the options of its groups as toppings. The app has two levels, no hours and no promotions. Of several
 * menus only the first is in the payload, which then is not sent (`second_menu_refused`); a menu over the app's limits
 * has none (null).
 */
export function transformForAppD(
  input: TransformInput,
  losses = createLossBook(),
): TransformResult {
  const [menu, ...refused] = input.menu.menus;
  refused.forEach(({ identifier }, position) => {
    losses.add('second_menu_refused', menuRef(identifier, position + 1));
  });
  if (!menu) return { payload: null, losses: losses.list(), itemIds: new Map() };
  const document = { ...input.menu, menus: [menu] };
  const index = indexMenu(document);
  const used = findUsedEntities(document, index, { nestedGroups: false });
  const sold = soldItems(index, used);
  const plainOptions = new Set([...used.items].filter((id) => !sold.has(id)));
  const groups = planGroups(index, used, plainOptions, losses, LIMITS.idLength);
  const prices = namedPrices(document.menus, index);
  const context = { input, menu, index, used, losses, prices: prices[0], sold, groups };
  const { payload, itemIds } = toPayload(context);
  reportDroppedParts(context);
  reportNestedGroups(context);
  reportOptionMinimums(index, used, losses);
  reportPriceConflicts(document.menus, prices, index, losses);
  reportRepeatedReferences(index, used, losses);
  reportPromotions(index, used, prices, losses);
  // What a refused menu uses is not unused.
  const usedByAny = findUsedEntities(input.menu, index, { nestedGroups: false });
  reportUnusedEntities(index, usedByAny, losses);
  return { payload, losses: losses.list(), itemIds };
}

function toPayload(context: TransformContext): Pick<TransformResult, 'itemIds'> & {
  readonly payload: WirePayload | null;
} {
  const { input, index, losses, groups, sold } = context;
  const exceeded = exceededLimits(context);
  for (const limit of exceeded) losses.add('limit_exceeded', limit.ref, limit.detail);
  if (exceeded.length > 0) return { payload: null, itemIds: new Map() };
  const options = planOptions(index, groups, sold, losses);
  const items = toProducts(context, options);
  return {
    payload: { storeId: input.store.deliveryId, items },
    itemIds: itemIdsOf(items, options),
  };
}

/** A copy's SKU says nothing of its item for sure, so it is asked of the plan that made it. */
function itemIdsOf(products: readonly WireProduct[], options: OptionPlan): ItemIds {
  const ids = new Map<string, Set<string>>();
  const add = (externalId: string, sku: string): void => {
    ids.set(externalId, (ids.get(externalId) ?? new Set()).add(sku));
  };
  for (const { sku } of products) add(sku, sku);
  for (const planned of options.values()) {
    for (const { item, sku } of planned) add(item.entity.external_id, sku);
  }
  return new Map([...ids].map(([id, skus]) => [id, [...skus]]));
}

function menuRef(externalId: string, index: number): EntityRef {
  return { kind: 'menu', index, externalId };
}

/** Hours, and the descriptions of what is no item: the app has no place for them. */
function reportDroppedParts({ menu, index, used, losses }: TransformContext): void {
  losses.add('menu_schedule_ignored', menuRef(menu.identifier, 0));
  if (menu.description) losses.add('description_dropped', menuRef(menu.identifier, 0));
  for (const [id, { entity, ref }] of index.categories) {
    if (!used.categories.has(id)) continue;
    // Categories are what products stand in: without one the app has no place for it.
    if (entity.data_items.length === 0) losses.add('entity_unused', ref, 'has no items');
    else if (entity.description) losses.add('description_dropped', ref);
  }
  for (const [id, { entity, ref }] of index.items) {
    if (entity.schedules?.length && used.items.has(id)) losses.add('item_schedule_ignored', ref);
  }
}

/** An option has no groups of its own, also where its item has them by itself. */
function reportNestedGroups({ index, used, losses }: TransformContext): void {
  for (const groupId of used.groups) {
    for (const { item_external_id: id } of index.groups.get(groupId)?.entity.data_options ?? []) {
      const item = index.items.get(id);
      if (item && hasGroups(item.entity, index)) losses.add('nested_groups_dropped', item.ref);
    }
  }
}
