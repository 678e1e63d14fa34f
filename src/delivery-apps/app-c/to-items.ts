import { amountOf, type Item } from '../../menus/menu';
import { fitTexts } from '../fit-texts';
import { fitImage } from '../images/image-url';
import type { Indexed } from '../menu-index';
import { digitsToInteger, type NamedPrice } from '../prices';
import type { GroupPlan } from '../group-copies';
import { hasAlcohol, toWireDetails } from './details';
import { ITEM_ON_SALE, TEXT_LENGTHS } from './rules';
import { type SaleTimes, toSaleTimes } from './schedules';
import { type TransformContext, wirePrice } from './transform-context';
import type { WireItem } from './wire';

/**
 * Every item that a guest can reach, in document order: items in a category are sold, the others are only options. A
 * sold item is followed by its copy, if it needs one as an option.
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
      details: toWireDetails(indexed, context.input.store.locale, context.losses),
    };
    if (!sold.has(id)) {
      if (item.entity.price.promotion_value) {
        context.losses.add('promotion_price_ignored', item.ref);
      }
      return [toOption(context, item, {})];
    }
    const copyId = options.copies.get(id);
    const soldItem = toSoldItem(context, item, menuTimes);
    if (copyId === undefined) return [soldItem];
    const copy = { app_item_id: copyId, app_external_id: id };
    return [soldItem, toOption(context, { ...item, groups: {} }, copy)];
  });
}

interface ItemParts extends Indexed<Item> {
  /** Name, description and image, shared with a copy. */
  readonly texts: Pick<WireItem, 'item_name' | 'short_desc' | 'head_img'>;
  readonly groups: Pick<WireItem, 'app_modifier_group_ids'>;
  readonly details: ReturnType<typeof toWireDetails>;
}

function texts(
  { input, losses }: TransformContext,
  { entity, ref }: Indexed<Item>,
): ItemParts['texts'] {
  const { name, description } = fitTexts(losses, ref, entity, TEXT_LENGTHS.item);
  const imageUrl = fitImage(losses, ref, entity.image_url, input.badImages);
  return {
    item_name: name,
    ...(description && { short_desc: description }),
    ...(imageUrl !== undefined && { head_img: imageUrl }),
  };
}

function groupsOf(plan: GroupPlan, id: string): ItemParts['groups'] {
  const ids = plan.idsOfItem.get(id) ?? [];
  return ids.length > 0 ? { app_modifier_group_ids: ids } : {};
}

function toSoldItem(
  context: TransformContext,
  { entity: item, ref, texts: shown, groups, details }: ItemParts,
  menuTimes: readonly SaleTimes[],
): WireItem {
  const named = context.prices?.get(item.external_id);
  return {
    app_item_id: item.external_id,
    ...shown,
    ...soldPrice(context, named ?? { price: item.price, ref }, hasAlcohol(item.details)),
    status: ITEM_ON_SALE,
    is_sold_separately: true,
    // Menus have no hours in this app, so each sold item has its own, or else the menu's.
    ...(ownTimes(item) ?? { sold_info_intl: menuTimes }),
    ...groups,
    ...details,
  };
}

function toOption(
  context: TransformContext,
  { entity: item, ref, texts: shown, groups, details }: ItemParts,
  copy: Pick<WireItem, 'app_external_id'> & Partial<Pick<WireItem, 'app_item_id'>>,
): WireItem {
  return {
    app_item_id: item.external_id,
    ...copy,
    ...shown,
    // Without a promotion, because options have none in this app.
    price: wirePrice(context, ref, item.price),
    status: ITEM_ON_SALE,
    is_sold_separately: false,
    ...ownTimes(item),
    ...groups,
    ...details,
  };
}

function ownTimes({ schedules }: Item): Pick<WireItem, 'sold_info_intl'> | undefined {
  return schedules?.length ? { sold_info_intl: toSaleTimes(schedules) } : undefined;
}

type WirePrices = Pick<WireItem, 'price' | 'activity_price'>;

function soldPrice(
  context: TransformContext,
  { price, ref }: Pick<NamedPrice, 'price' | 'ref'>,
  isAlcohol: boolean,
): WirePrices {
  const regular = wirePrice(context, ref, price);
  const promotion = price.promotion_value;
  if (!promotion) return { price: regular };
  if (isAlcohol || !isPromotion(amountOf(price), promotion)) {
    context.losses.add('promotion_price_invalid', ref);
    return { price: regular };
  }
  return { price: regular, activity_price: wirePrice(context, ref, { value: promotion }) };
}

/** The app requires at least 1 % off. In integers: 12 digits times 100 stay below 2^53. */
function isPromotion(value: string, promotion: string): boolean {
  const regular = digitsToInteger(value);
  const reduced = digitsToInteger(promotion);
  return reduced > 0 && (regular - reduced) * 100 >= regular;
}
