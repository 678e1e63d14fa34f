import type { Category, Item, Menu, ModifierGroup } from '../../menus/menu';
import { isHttpsUrl } from '../images/https-url';
import {
  reportNamedPromotions,
  reportOptionPromotions,
  reportOwnPromotions,
} from '../ignored-fields';
import { reportImpossibleChoices } from '../impossible-choices';
import { reportItemHours } from '../item-schedules';
import { addImageLoss, createLossBook, type EntityRef } from '../losses';
import { firstOfEach, type Indexed } from '../menu-index';
import { nameSome } from '../name-some';
import { namedPrices, reportPriceConflicts } from '../prices';
import { reportRepeatedReferences } from '../repeated-references';
import type { ImageVerdict, TransformInput, TransformResult } from '../types';
import { reportUnusedEntities } from '../unused-entities';
import { collectContexts, toWireQuantity, type Contexts, type PriceContext } from './contexts';
import { GAP_MINUTES, shortPeriods, toServiceAvailability } from './schedules';
import { DEFAULT_IMAGE_RULES } from './image-rules';
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
  const { document, index, used } = translation;
  const menuPrices = namedPrices(document.menus, index);
  const contexts = collectContexts(translation, menuPrices);
  const payload: WireMenuConfiguration = {
    menus: document.menus.map((menu, position) =>
      toWireMenu(menu, { kind: 'menu', index: position, externalId: menu.identifier }, translation),
    ),
    categories: usedOf(index.categories, used.categories).map(({ entity }) =>
      toWireCategory(entity, translation),
    ),
    items: usedOf(index.items, used.items).map((item) =>
      toWireItem(item, contexts, translation, input.badImages),
    ),
    modifier_groups: usedOf(index.groups, used.groups).map(({ entity }) =>
      toWireGroup(entity, contexts, translation),
    ),
  };
  reportItemHours(document, index, used, losses, GAP_MINUTES);
  reportNamedPromotions(menuPrices, losses);
  reportOwnPromotions(index, used, losses);
  reportOptionPromotions(index, used, losses);
  reportPriceConflicts(document.menus, menuPrices, index, losses);
  reportRepeatedReferences(index, used, losses);
  reportImpossibleChoices(index, used.items, losses);
  reportUnusedEntities(index, used, losses);
  const itemIds = new Map(payload.items.map(({ id }) => [id, [id]]));
  return { payload, losses: losses.list(), itemIds };
}

function usedOf<T>(
  entities: ReadonlyMap<string, Indexed<T>>,
  used: ReadonlySet<string>,
): readonly Indexed<T>[] {
  return [...entities].filter(([id]) => used.has(id)).map(([, entity]) => entity);
}

function toWireMenu(menu: Menu, ref: EntityRef, { losses, toText }: MenuTranslation): WireMenu {
  const availability = toServiceAvailability(menu.schedules);
  if (availability.length === 0) losses.add('no_hours', ref);
  const short = shortPeriods(menu.schedules);
  if (short.length > 0) losses.add('short_hours', ref, nameSome(short));
  return {
    id: menu.identifier,
    title: toText(menu.name),
    ...(menu.description && { subtitle: toText(menu.description) }),
    service_availability: availability,
    category_ids: firstOfEach(menu.category_external_ids, (id) => id),
  };
}

function toWireCategory(category: Category, { toText }: MenuTranslation): WireCategory {
  return {
    id: category.external_id,
    title: toText(category.name),
    ...(category.description && { subtitle: toText(category.description) }),
    entities: toItemReferences(category.data_items),
  };
}

function toWireItem(
  { entity: item, ref }: Indexed<Item>,
  { itemPrices, itemQuantities }: Contexts,
  { losses, toPrice, toText }: MenuTranslation,
  badImages: TransformInput['badImages'],
): WireItem {
  const id = item.external_id;
  const quantityOverrides = itemQuantities.get(id);
  const badImage = imageVerdict(item.image_url, badImages);
  if (badImage) addImageLoss(losses, ref, badImage);
  if (UNSAFE_IN_PATHS.test(id) || NO_PATH_SEGMENT.test(id)) losses.add('id_unsafe', ref);
  return {
    id,
    external_data: id,
    title: toText(item.name),
    ...(item.description && { description: toText(item.description) }),
    ...(item.image_url && !badImage && { image_url: item.image_url }),
    price_info: toPriceInfo({ price: item.price, ref }, itemPrices.get(id), toPrice),
    ...(quantityOverrides && { quantity_info: { quantity: {}, overrides: quantityOverrides } }),
    ...(item.data_modifier_groups.length > 0 && { modifier_group_ids: { ids: groupIdsOf(item) } }),
    tax_info: {},
  };
}

function toPriceInfo(
  own: Pick<PriceContext, 'price' | 'ref'>,
  contexts: readonly PriceContext[] | undefined,
  toPrice: MenuTranslation['toPrice'],
): WirePriceInfo {
  const price = toPrice(own.price, own.ref);
  if (!contexts) return { price };
  return {
    price,
    overrides: contexts.map(({ context_type, context_value, price: other, ref }) => ({
      context_type,
      context_value,
      price: toPrice(other, ref),
    })),
  };
}

function toWireGroup(
  group: ModifierGroup,
  { groupQuantities }: Contexts,
  { toText }: MenuTranslation,
): WireModifierGroup {
  const overrides = groupQuantities.get(group.external_id);
  return {
    id: group.external_id,
    external_data: group.external_id,
    title: toText(group.name),
    quantity_info: { quantity: toWireQuantity(group.quantity), ...(overrides && { overrides }) },
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

function imageVerdict(
  url: string | null | undefined,
  badImages: TransformInput['badImages'],
): ImageVerdict | undefined {
  if (!url) return undefined;
  if (DEFAULT_IMAGE_RULES.https && !isHttpsUrl(url)) return 'not_https';
  return badImages?.get(url);
}
