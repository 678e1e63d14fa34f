import type { Category, Item, Menu } from '../../menus/menu';
import { reportSoldForNothing } from '../free-items';
import { fitImage } from '../images/image-url';
import {
  reportNamedPromotions,
  reportOptionPromotions,
  reportOwnPromotions,
} from '../ignored-fields';
import { reportImpossibleChoices } from '../impossible-choices';
import { reportIgnoredDetails } from '../item-details';
import { reportItemHours } from '../item-schedules';
import { createLossBook, type EntityRef } from '../losses';
import { firstOfEach, type Indexed, type OfferedGroup } from '../menu-index';
import { nameSome } from '../name-some';
import { namedPrices, reportPriceConflicts } from '../prices';
import { reportRepeatedReferences } from '../repeated-references';
import { groupTexts, reportSplitGroups, reportSplitMinimums, usedAsSent } from '../split-groups';
import type { TransformInput, TransformResult } from '../types';
import { reportUnusedEntities } from '../unused-entities';
import { collectContexts, toWireGroupQuantity, type Contexts, type PriceContext } from './contexts';
import { showsDetail, toWireDetails } from './details';
import { GAP_MINUTES, shortPeriods, toServiceAvailability } from './schedules';
import { reportDeepItems } from './levels';
import { createMenuTranslation, type MenuTranslation } from './menu-translation';
import { NO_PATH_SEGMENT } from './rules';
import type {
  WireCategory,
  WireEntityReference,
  WireItem,
  WireMenu,
  WireMenuConfiguration,
  WireModifierGroup,
  WirePriceInfo,
} from './wire';

/**
 * These characters break the app's calls about one item, whose path contains its id. Replacing them would lose the
 * POS id.
 */
const UNSAFE_IN_PATHS = /[/;]/;

/**
 * Writes a menu in App A's form: several menus, hours on menus only, and every item once, with overrides for the
 * places where it differs. Throws a RangeError for a price or quantity that is not a digit string.
 */
export function transformForAppA(
  input: TransformInput,
  losses = createLossBook(),
): TransformResult {
  const translation = createMenuTranslation(input, losses);
  const { document, index, sent, used } = translation;
  const menuPrices = namedPrices(document.menus, index);
  const contexts = collectContexts(translation, menuPrices);
  const payload: WireMenuConfiguration = {
    menus: document.menus.map((menu, position) =>
      toWireMenu(menu, { kind: 'menu', index: position, externalId: menu.identifier }, translation),
    ),
    categories: usedOf(index.categories, used.categories).map((category) =>
      toWireCategory(category, translation),
    ),
    items: usedOf(index.items, used.items).map((item) =>
      toWireItem(item, contexts, translation, input.badImages),
    ),
    modifier_groups: usedOf(index.groups, used.groups).map((group) =>
      toWireGroup(group, contexts, translation),
    ),
  };
  reportItemHours(document, index, used, losses, GAP_MINUTES);
  reportNamedPromotions(menuPrices, losses);
  reportOwnPromotions(index, used, losses);
  reportOptionPromotions(index, used, losses);
  reportPriceConflicts(document.menus, menuPrices, index, losses);
  const priced = { menus: document.menus, prices: menuPrices, index, nestedGroups: true };
  reportSoldForNothing('sold_for_nothing', priced, losses);
  const usedIds = usedAsSent(index, used);
  reportRepeatedReferences(sent, usedIds, losses);
  reportSplitGroups(index, used, losses);
  reportSplitMinimums(index, sent, used, losses);
  reportImpossibleChoices(index, used.items, losses);
  reportDeepItems(index, used, losses);
  reportIgnoredDetails(sent, usedIds, losses, (name, item) => showsDetail(name, item, { used }));
  reportUnusedEntities(sent, usedIds, losses);
  const itemIds = new Map(payload.items.map(({ id }) => [id, [id]]));
  return { payload, losses: losses.list(), itemIds };
}

function usedOf<T>(
  entities: ReadonlyMap<string, Indexed<T>>,
  used: ReadonlySet<string>,
): readonly Indexed<T>[] {
  return [...entities].filter(([id]) => used.has(id)).map(([, entity]) => entity);
}

function toWireMenu(menu: Menu, ref: EntityRef, { losses, toTexts }: MenuTranslation): WireMenu {
  const availability = toServiceAvailability(menu.schedules);
  if (availability.length === 0) losses.add('no_hours', ref);
  const short = shortPeriods(menu.schedules);
  if (short.length > 0) losses.add('short_hours', ref, nameSome(short));
  const { title, description: subtitle } = toTexts(menu, ref);
  return {
    id: menu.identifier,
    title,
    ...(subtitle && { subtitle }),
    service_availability: availability,
    category_ids: firstOfEach(menu.category_external_ids, (id) => id),
  };
}

function toWireCategory(
  { entity: category, ref }: Indexed<Category>,
  { toTexts }: MenuTranslation,
): WireCategory {
  const { title, description: subtitle } = toTexts(category, ref);
  return {
    id: category.external_id,
    title,
    ...(subtitle && { subtitle }),
    entities: toItemReferences(category.data_items),
  };
}

function toWireItem(
  indexed: Indexed<Item>,
  { itemPrices, itemQuantities }: Contexts,
  translation: MenuTranslation,
  badImages: TransformInput['badImages'],
): WireItem {
  const { entity: item, ref } = indexed;
  const { losses, toTexts } = translation;
  const id = item.external_id;
  const quantityOverrides = itemQuantities.get(id);
  const imageUrl = fitImage(losses, ref, item.image_url, badImages);
  if (UNSAFE_IN_PATHS.test(id) || NO_PATH_SEGMENT.test(id)) losses.add('id_unsafe', ref);
  return {
    id,
    external_data: id,
    ...toTexts(item, ref),
    ...(imageUrl !== undefined && { image_url: imageUrl }),
    price_info: toPriceInfo(indexed, itemPrices.get(id), translation),
    ...(quantityOverrides && { quantity_info: { quantity: {}, overrides: quantityOverrides } }),
    ...(item.data_modifier_groups.length > 0 && { modifier_group_ids: { ids: groupIdsOf(item) } }),
    ...toWireDetails(indexed, translation),
  };
}

function toPriceInfo(
  { entity, ref: ownRef }: Indexed<Item>,
  contexts: readonly PriceContext[] | undefined,
  { toPrice }: MenuTranslation,
): WirePriceInfo {
  const deposit = entity.details?.deposit;
  const own = {
    price: toPrice(entity.price, ownRef),
    ...(deposit && { container_deposit: toPrice(deposit, ownRef) }),
  };
  if (!contexts) return own;
  return {
    ...own,
    overrides: contexts.map(({ context_type, context_value, price: other, ref }) => ({
      context_type,
      context_value,
      price: toPrice(other, ref),
    })),
  };
}

function toWireGroup(
  { entity: group, ref }: Indexed<OfferedGroup>,
  { groupQuantities }: Contexts,
  { toTexts }: MenuTranslation,
): WireModifierGroup {
  const overrides = groupQuantities.get(group.external_id);
  return {
    id: group.external_id,
    external_data: group.part?.of ?? group.external_id,
    title: toTexts(groupTexts(group), ref).title,
    quantity_info: {
      quantity: toWireGroupQuantity(group.quantity),
      ...(overrides && { overrides }),
    },
    modifier_options: toItemReferences(group.data_options),
  };
}

function toItemReferences(
  references: readonly { readonly item_external_id: string }[],
): readonly WireEntityReference[] {
  return firstOfEach(references, (one) => one.item_external_id).map((one) => ({
    id: one.item_external_id,
    type: 'ITEM',
  }));
}

function groupIdsOf(item: Item): readonly string[] {
  const ids = item.data_modifier_groups.map((one) => one.modifier_group_external_id);
  return firstOfEach(ids, (id) => id);
}
