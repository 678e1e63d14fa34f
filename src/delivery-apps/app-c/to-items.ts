import type { Item, Price } from '../../domain/menu';
import { isHttpsUrl } from '../images';
import { type EntityRef, addImageLoss } from '../losses';
import { digitsToInteger } from '../prices';
import type { GroupPlan } from './group-copies';
import { ITEM_ON_SALE } from './rules';
import { toSaleTimes } from './sale-times';
import { fittingText, type TransformContext, wirePrice } from './transform-context';
import type { WireItem } from './wire';

/** Every item that a guest can reach, in document order: those in a category are sold, the others only options. */
export function toItems(context: TransformContext, plan: GroupPlan): readonly WireItem[] {
  const { menu, index, used, prices } = context;
  const sold = soldItems(context);
  const menuTimes = toSaleTimes(menu.schedules);
  return [...index.items].flatMap(([id, { entity: item, ref }]): WireItem[] => {
    if (!used.items.has(id)) return [];
    const isSold = sold.has(id);
    const { price } = prices?.get(id) ?? item;
    const groupIds = plan.idsOfItem.get(id) ?? [];
    return [
      {
        app_item_id: id,
        item_name: fittingText(context, ref, item.name, 'itemName'),
        ...description(context, item, ref),
        ...image(context, item, ref),
        ...(isSold ? soldPrice(context, ref, price) : optionPrice(context, item, ref)),
        status: ITEM_ON_SALE,
        is_sold_separately: isSold,
        // Menus have no hours in this app: each sold item carries them, or its own, which go before.
        ...(isSold && { sold_info_intl: ownTimes(item) ?? menuTimes }),
        ...(groupIds.length > 0 && { app_modifier_group_ids: groupIds }),
      },
    ];
  });
}

/** POS ids of what stands in a category of the menu. */
function soldItems({ index, used }: TransformContext): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const categoryId of used.categories) {
    for (const reference of index.categories.get(categoryId)?.entity.data_items ?? []) {
      ids.add(reference.item_external_id);
    }
  }
  return ids;
}

function ownTimes(item: Item): WireItem['sold_info_intl'] {
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

/** Options have no promotion in this app. */
function optionPrice(context: TransformContext, { price }: Item, ref: EntityRef): WirePrices {
  if (price.promotion_value) context.losses.add('promotion_price_ignored', ref);
  return { price: wirePrice(context, ref, price.value) };
}
