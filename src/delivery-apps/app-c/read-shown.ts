import { DAYS_OF_WEEK } from '../../menus/menu';
import {
  countOf,
  type Fields,
  fieldsOf,
  objectsIn,
  optionalText,
  priceDigits,
  textOf,
  textsIn,
  toHours,
} from '../read-payload';
import { hundredthsInLowest } from '../prices';
import type { Shown, ShownGroup, ShownHours, ShownItem, ShownMenu } from '../shown';
import type { ShownContext } from '../types';
import { readDetails } from './details';
import { isOptionCategory } from './option-categories';

/** What App C shows of a payload: hours are on items, and options stand in no category that guests see. */
export function readShownByAppC(payload: unknown, { store }: ShownContext): Shown {
  const { menus, categories, items, modifier_groups: groups } = fieldsOf(payload);
  const unit = hundredthsInLowest(store.currencyExponent);
  const toPrice = (value: unknown) => priceDigits(value, unit);
  const sold = new Set(
    objectsIn(items)
      .filter((item) => item['is_sold_separately'] === true)
      .map((item) => textOf(item['app_item_id'])),
  );
  const shownCategories = new Map(
    objectsIn(categories)
      .map((category) => ({
        external_id: textOf(category['app_category_id']),
        name: textOf(category['category_name']),
        description: null,
        // Where the menu has as many categories as the app takes, options stand in them.
        items: textsIn(category['app_item_ids']).filter((id) => sold.has(id)),
      }))
      .filter(
        ({ external_id: id, name, items: ids }) => ids.length > 0 || !isOptionCategory(id, name),
      )
      .map((category) => [category.external_id, category]),
  );
  return {
    menus: objectsIn(menus).map((menu): ShownMenu => ({
      identifier: textOf(menu['app_menu_id']),
      name: textOf(menu['menu_name']),
      description: null,
      hours: [],
      categories: textsIn(menu['app_category_ids']).flatMap((id) => shownCategories.get(id) ?? []),
    })),
    ...toItemsAndGroups(objectsIn(items), objectsIn(groups), toPrice),
  };
}

type ToPrice = (value: unknown) => string | null;

function toItemsAndGroups(
  items: readonly Fields[],
  groups: readonly Fields[],
  toPrice: ToPrice,
): Pick<Shown, 'items' | 'modifier_groups'> {
  const prices = new Map(
    items.map((item) => [textOf(item['app_item_id']), toPrice(item['price']) ?? '']),
  );
  const shownGroups = groups.map((group): ShownGroup => ({
    external_id: textOf(group['app_modifier_group_id']),
    name: textOf(group['modifier_group_name']),
    min: countOf(group['quantity_min_permitted']),
    max: countOf(group['quantity_max_permitted']),
    options: objectsIn(group['app_mg_items']).map(({ app_item_id: id, price }) => ({
      external_id: textOf(id),
      price: toPrice(price) ?? prices.get(textOf(id)) ?? '',
      promotion_price: null,
      min: null,
      max: null,
    })),
  }));
  const byId = new Map(shownGroups.map((group) => [group.external_id, group]));
  const hoursOf = rememberHours();
  return {
    items: items.map((item) => toItem(item, byId, toPrice, hoursOf)),
    modifier_groups: shownGroups,
  };
}

function toItem(
  item: Fields,
  groups: ReadonlyMap<string, ShownGroup>,
  toPrice: ToPrice,
  hoursOf: (saleTimes: unknown) => readonly ShownHours[],
): ShownItem {
  const hours = hoursOf(item['sold_info_intl']);
  const details = readDetails(item);
  return {
    external_id: textOf(item['app_item_id']),
    name: textOf(item['item_name']),
    description: optionalText(item['short_desc']),
    image_url: optionalText(item['head_img']),
    price: toPrice(item['price']) ?? '',
    promotion_price: toPrice(item['activity_price']),
    prices_by_menu: [],
    hours: hours.length > 0 ? hours : null,
    available: item['status'] !== 2,
    modifier_groups: textsIn(item['app_modifier_group_ids']).map((id) => ({
      external_id: id,
      min: groups.get(id)?.min ?? 0,
      max: groups.get(id)?.max ?? 0,
    })),
    ...(details && { details }),
  };
}

/** Our own payload has the menu's hours on every item as the same list, so it is read once. */
function rememberHours(): (saleTimes: unknown) => readonly ShownHours[] {
  let last: { readonly saleTimes: unknown; readonly hours: readonly ShownHours[] } | undefined;
  return (saleTimes) => {
    if (last?.saleTimes !== saleTimes) last = { saleTimes, hours: toWeek(saleTimes) };
    return last?.hours ?? [];
  };
}

function toWeek(saleTimes: unknown): readonly ShownHours[] {
  return toHours(
    objectsIn(saleTimes).flatMap(({ time, day: days }) =>
      (Array.isArray(days) ? days : []).flatMap((number) => {
        const day = DAYS_OF_WEEK[Number(number) - 1];
        if (!day) return [];
        return objectsIn(time).map(({ begin, end }) => ({
          day,
          period: { start: textOf(begin), end: textOf(end) },
        }));
      }),
    ),
  );
}
