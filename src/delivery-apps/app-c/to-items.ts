import type { Item, Price } from '../../domain/menu';
import { isHttpsUrl } from '../images';
import { type EntityRef, addImageLoss } from '../losses';
import type { Indexed } from '../menu-index';
import { digitsToInteger } from '../prices';
import type { GroupPlan } from '../group-copies';
import { ITEM_ON_SALE } from './rules';
import { type SaleTimes, toSaleTimes } from './sale-times';
import { fittingText, type TransformContext, wirePrice } from './transform-context';
import type { WireItem } from './wire';

/**
 * Every item that a guest can reach, in document order: those in a category are sold, the others only options. Behind
 * a sold item stands its copy, where it needs one as an option.
 */
export function toItems(context: TransformContext, plan: GroupPlan): readonly WireItem[] {
  const { menu, index, used, sold, options } = context;
  const menuTimes = toSaleTimes(menu.schedules);
  return [...index.items].flatMap(([id, indexed]): WireItem[] => {
    if (!used.items.has(id)) return [];
    const item: ItemParts = {
      ...indexed,
      texts: texts(context, indexed),
      groups: groupsOf(plan, id),
    };
    if (!sold.has(id)) return [toOption(context, item, {})];
    const copyId = options.copies.get(id);
    const soldItem = toSoldItem(context, item, menuTimes);
    if (copyId === undefined) return [soldItem];
    const copy = { app_item_id: copyId, app_external_id: id };
    return [soldItem, toOption(context, { ...item, groups: {} }, copy)];
  });
}

interface ItemParts extends Indexed<Item> {
  /** Name, description and image, which a copy shares. */
  readonly texts: Pick<WireItem, 'item_name' | 'short_desc' | 'head_img'>;
  readonly groups: Pick<WireItem, 'app_modifier_group_ids'>;
}

function texts(context: TransformContext, { entity, ref }: Indexed<Item>): ItemParts['texts'] {
  return {
    item_name: fittingText(context, ref, entity.name, 'itemName'),
    ...description(context, entity, ref),
    ...image(context, entity, ref),
  };
}

function groupsOf(plan: GroupPlan, id: string): ItemParts['groups'] {
  const ids = plan.idsOfItem.get(id) ?? [];
  return ids.length > 0 ? { app_modifier_group_ids: ids } : {};
}

function toSoldItem(
  context: TransformContext,
  { entity: item, ref, texts: shown, groups }: ItemParts,
  menuTimes: readonly SaleTimes[],
): WireItem {
  const named = context.prices?.get(item.external_id);
  return {
    app_item_id: item.external_id,
    ...shown,
    ...soldPrice(context, ref, (named ?? item).price),
    status: ITEM_ON_SALE,
    is_sold_separately: true,
    // Menus have no hours in this app: each sold item carries them, or its own, which go before.
    sold_info_intl: ownTimes(item) ?? menuTimes,
    ...groups,
  };
}

function toOption(
  context: TransformContext,
  { entity: item, ref, texts: shown, groups }: ItemParts,
  copy: Pick<WireItem, 'app_external_id'> & Partial<Pick<WireItem, 'app_item_id'>>,
): WireItem {
  return {
    app_item_id: item.external_id,
    ...copy,
    ...shown,
    ...optionPrice(context, item, ref, copy.app_item_id !== undefined),
    status: ITEM_ON_SALE,
    is_sold_separately: false,
    ...groups,
  };
}

function ownTimes(item: Item): readonly SaleTimes[] | undefined {
  return item.schedules && item.schedules.length > 0 ? toSaleTimes(item.schedules) : undefined;
}

function description(
  context: TransformContext,
  item: Item,
  ref: EntityRef,
): Pick<WireItem, 'short_desc'> {
  if (!item.description) return {};
  return { short_desc: fittingText(context, ref, item.description, 'itemDescription') };
}

function image(
  { input, losses }: TransformContext,
  { image_url: url }: Item,
  ref: EntityRef,
): Pick<WireItem, 'head_img'> {
  if (!url) return {};
  const verdict = isHttpsUrl(url) ? input.badImages?.get(url) : 'not_https';
  if (verdict === undefined) return { head_img: url };
  addImageLoss(losses, ref, verdict);
  return {};
}

type WirePrices = Pick<WireItem, 'price' | 'activity_price'>;

function soldPrice(context: TransformContext, ref: EntityRef, price: Price): WirePrices {
  const regular = wirePrice(context, ref, price.value);
  const promotion = price.promotion_value;
  if (!promotion) return { price: regular };
  if (!isPromotion(price.value, promotion)) {
    context.losses.add('promotion_price_invalid', ref);
    return { price: regular };
  }
  return { price: regular, activity_price: wirePrice(context, ref, promotion) };
}

/** The app wants at least 1 % off. In integers: 12 digits times 100 stay below 2^53. */
function isPromotion(value: string, promotion: string): boolean {
  const regular = digitsToInteger(value);
  const reduced = digitsToInteger(promotion);
  return reduced > 0 && (regular - reduced) * 100 >= regular;
}

/** Options have no promotion in this app. A copy's item has it where it is sold, so there nothing is lost. */
function optionPrice(
  context: TransformContext,
  { price }: Item,
  ref: EntityRef,
  isCopy: boolean,
): WirePrices {
  if (price.promotion_value && !isCopy) context.losses.add('promotion_price_ignored', ref);
  return { price: wirePrice(context, ref, price.value) };
}
