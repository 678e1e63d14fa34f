import { planGroups } from '../group-copies';
import { reportItemPromotions, reportOptionPromotions } from '../ignored-fields';
import { createLossBook, type EntityRef } from '../losses';
import { hasGroups, indexMenu } from '../menu-index';
import { digitsToInteger, namedPrices, reportPriceConflicts } from '../prices';
import { reportRepeatedReferences } from '../repeated-references';
import type { TransformInput, TransformResult } from '../types';
import { findUsedEntities, reportUnusedEntities, soldItems } from '../unused-entities';
import { exceededLimits } from './exceeded-limits';
import { planOptions } from './plan-skus';
import { LIMITS } from './rules';
import { toProducts } from './to-products';
import type { TransformContext } from './transform-context';
import type { WirePayload } from './wire';

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
  if (!menu) return { payload: null, losses: losses.list() };
  const document = { ...input.menu, menus: [menu] };
  const index = indexMenu(document);
  const used = findUsedEntities(document, index, { nestedGroups: false });
  const sold = soldItems(index, used);
  const plainOptions = new Set([...used.items].filter((id) => !sold.has(id)));
  const groups = planGroups(index, used, plainOptions, losses, LIMITS.idLength);
  const prices = namedPrices(document.menus, index);
  const context = { input, menu, index, used, losses, prices: prices[0], sold, groups };
  const payload = toPayload(context);
  reportDroppedParts(context);
  reportNestedGroups(context);
  reportOptionMinimums(context);
  reportPriceConflicts(document.menus, prices, index, losses);
  reportRepeatedReferences(index, used, losses);
  reportItemPromotions(index, used, losses);
  reportOptionPromotions(index, used, losses);
  // What a refused menu uses is not unused.
  const usedByAny = findUsedEntities(input.menu, index, { nestedGroups: false });
  reportUnusedEntities(index, usedByAny, losses);
  return { payload, losses: losses.list() };
}

function toPayload(context: TransformContext): WirePayload | null {
  const { input, index, losses, groups, sold } = context;
  const exceeded = exceededLimits(context);
  for (const limit of exceeded) losses.add('limit_exceeded', limit.ref, limit.detail);
  if (exceeded.length > 0) return null;
  const options = planOptions(index, groups, sold, losses);
  return { storeId: input.store.deliveryId, items: toProducts(context, options) };
}

function menuRef(externalId: string, index: number): EntityRef {
  return { kind: 'menu', index, externalId };
}

/** Hours, and the descriptions of what is no item: the app has no place for them. */
function reportDroppedParts({ menu, index, used, losses }: TransformContext): void {
  losses.add('menu_schedule_ignored', menuRef(menu.identifier, 0));
  if (menu.description) losses.add('description_dropped', menuRef(menu.identifier, 0));
  for (const [id, { entity, ref }] of index.categories) {
    if (entity.description && used.categories.has(id)) losses.add('description_dropped', ref);
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

/** The app has a maximum for each topping, and no minimum: a minimum of 0 loses nothing. */
function reportOptionMinimums({ index, used, losses }: TransformContext): void {
  for (const [id, { entity, ref }] of index.groups) {
    const required = entity.data_options.some(
      ({ quantity }) => quantity && digitsToInteger(quantity.min_quantity) > 0,
    );
    if (required && used.groups.has(id)) losses.add('option_quantity_ignored', ref);
  }
}
