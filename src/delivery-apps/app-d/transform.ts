import { reportDroppedGroups } from '../dropped-groups';
import { reportSoldForNothing } from '../free-items';
import { planGroups } from '../group-copies';
import { reportOptionMinimums, reportPromotions } from '../ignored-fields';
import { reportImpossibleChoices } from '../impossible-choices';
import { createLossBook, type EntityRef } from '../losses';
import { reportIgnoredDetails } from '../item-details';
import { indexMenu } from '../menu-index';
import { namedPrices, reportPriceConflicts } from '../prices';
import { reportRepeatedReferences } from '../repeated-references';
import { reportSplitGroups, splitGroups, usedAsSent } from '../split-groups';
import type { ItemIds, TransformInput, TransformResult } from '../types';
import { findUsedEntities, reportUnusedEntities, soldItems } from '../unused-entities';
import { exceededLimits } from './exceeded-limits';
import { type OptionPlan, planOptions } from './plan-skus';
import { LIMITS } from './rules';
import { toProducts } from './to-products';
import type { TransformContext } from './transform-context';
import type { WirePayload, WireProduct } from './wire';

/**
 * Turns a canonical menu into App D's payload and the losses: a product for each item of each category, with the
 * options of its groups as toppings. The app has two levels, no hours and no promotions. Of several menus only the
 * first is in the payload, which is then not sent (`second_menu_refused`); a menu over the app's limits has no
 * payload (null).
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
  const sent = indexMenu(document);
  const index = splitGroups(sent, { longestId: LIMITS.idLength });
  const used = findUsedEntities(document, index, { nestedGroups: false });
  const sold = soldItems(index, used);
  const plainOptions = new Set([...used.items].filter((id) => !sold.has(id)));
  const groups = planGroups(index, used, plainOptions, losses, LIMITS.idLength);
  const prices = namedPrices(document.menus, index);
  const context = { input, menu, index, used, losses, prices: prices[0], sold, groups };
  const priced = { menus: document.menus, prices, index, nestedGroups: false };
  const refusesFree = reportSoldForNothing('zero_price_refused', priced, losses);
  const { payload, itemIds } = refusesFree ? NO_PAYLOAD : toPayload(context);
  reportDroppedParts(context);
  const usedIds = usedAsSent(index, used);
  reportDroppedGroups(sent, usedIds, losses);
  reportSplitGroups(index, used, losses);
  reportImpossibleChoices(index, sold, losses);
  reportOptionMinimums(sent, usedIds, losses);
  reportPriceConflicts(document.menus, prices, index, losses);
  reportRepeatedReferences(sent, usedIds, losses);
  reportPromotions(index, used, prices, losses);
  reportIgnoredDetails(
    sent,
    usedIds,
    losses,
    (name, { ref }) => name === 'bundled_items' && sold.has(ref.externalId),
  );
  reportUnusedEntities(sent, findUsedEntities(input.menu, sent), losses);
  return { payload, losses: losses.list(), itemIds };
}

const NO_PAYLOAD = { payload: null, itemIds: new Map() } as const;

function toPayload(context: TransformContext): Pick<TransformResult, 'itemIds'> & {
  readonly payload: WirePayload | null;
} {
  const { input, index, losses, groups, sold } = context;
  const exceeded = exceededLimits(context);
  for (const limit of exceeded) losses.add('limit_exceeded', limit.ref, limit.detail);
  if (exceeded.length > 0) return NO_PAYLOAD;
  const options = planOptions(index, groups, sold, losses);
  const items = toProducts(context, options);
  return {
    payload: { storeId: input.store.appStoreId, items },
    itemIds: itemIdsOf(items, options),
  };
}

/** The SKU of a copy does not reliably name its item, so the plan that made it is used. */
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

/** Hours, all descriptions except items', and what is off sale: the app has no place for them. */
function reportDroppedParts({ menu, index, used, losses }: TransformContext): void {
  losses.add('menu_schedule_ignored', menuRef(menu.identifier, 0));
  if (menu.description) losses.add('description_dropped', menuRef(menu.identifier, 0));
  for (const [id, { entity, ref }] of index.categories) {
    if (!used.categories.has(id)) continue;
    // Products are in categories, so the app has no place for a category without one.
    if (entity.data_items.length === 0) losses.add('entity_unused', ref, 'has no items');
    else if (entity.description) losses.add('description_dropped', ref);
  }
  for (const [id, { entity, ref }] of index.items) {
    if (!used.items.has(id)) continue;
    if (entity.schedules?.length) losses.add('item_schedule_ignored', ref);
    if (entity.available === false) losses.add('available_late', ref);
  }
}
