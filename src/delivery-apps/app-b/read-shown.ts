import { DAYS_OF_WEEK } from '../../menus/menu';
import {
  countOf,
  decimalDigits,
  type Fields,
  fieldsOf,
  objectsIn,
  optionalText,
  textOf,
  textsIn,
  toHours,
} from '../read-payload';
import type { Shown, ShownHours, ShownItem, ShownLimits, ShownMenu } from '../shown';

/**
 * What App B shows of a payload. It has group limits on items only; for the group itself we use those of its first
 * item.
 */
export function readShownByAppB(payload: unknown): Shown {
  const { menu, categories, items, option_groups: groups } = fieldsOf(payload);
  const shownItems = objectsIn(items).map(toItem);
  const prices = new Map(shownItems.map(({ external_id: id, price }) => [id, price]));
  const limits = new Map<string, ShownLimits>();
  for (const one of shownItems.flatMap((item) => item.modifier_groups)) {
    if (!limits.has(one.external_id)) limits.set(one.external_id, one);
  }
  return {
    menus: [toMenu(fieldsOf(menu), objectsIn(categories))],
    items: shownItems,
    modifier_groups: objectsIn(groups).map((group) => {
      const id = textOf(group['id']);
      return {
        external_id: id,
        name: textOf(group['name']),
        min: limits.get(id)?.min ?? 0,
        max: limits.get(id)?.max ?? 0,
        options: objectsIn(group['options']).map(({ item_id: item, price }) => ({
          external_id: textOf(item),
          price: decimalDigits(price) ?? prices.get(textOf(item)) ?? '',
          promotion_price: null,
          min: null,
          max: null,
        })),
      };
    }),
  };
}

function toMenu(menu: Fields, categories: readonly Fields[]): ShownMenu {
  const byId = new Map(categories.map((category) => [textOf(category['id']), category]));
  return {
    identifier: textOf(menu['id']),
    name: textOf(menu['name']),
    description: optionalText(menu['description']),
    hours: toWeek(menu['shifts']),
    categories: textsIn(menu['category_ids']).flatMap((id) => {
      const category = byId.get(id);
      if (!category) return [];
      return [
        {
          external_id: id,
          name: textOf(category['name']),
          description: optionalText(category['description']),
          items: textsIn(category['item_ids']),
        },
      ];
    }),
  };
}

function toItem(item: Fields): ShownItem {
  const hours = toWeek(item['shifts']);
  const barcode = optionalText(item['ean']);
  return {
    external_id: textOf(item['id']),
    name: textOf(item['name']),
    description: optionalText(item['description']),
    image_url: optionalText(item['image_url']),
    price: decimalDigits(item['price']) ?? '',
    promotion_price: null,
    prices_by_menu: [],
    hours: hours.length > 0 ? hours : null,
    available: item['status'] !== 'UNAVAILABLE',
    modifier_groups: objectsIn(item['option_groups']).map(({ id, min, max, free }) => ({
      external_id: textOf(id),
      min: countOf(min),
      max: countOf(max),
      ...(countOf(free) > 0 && { free_quantity: countOf(free) }),
    })),
    ...(barcode !== null && { details: { barcode } }),
  };
}

/** A window applies to each weekday whose flag is set. */
function toWeek(shifts: unknown): readonly ShownHours[] {
  return toHours(
    objectsIn(shifts).flatMap((shift) => {
      const period = { start: textOf(shift['start_time']), end: textOf(shift['end_time']) };
      return DAYS_OF_WEEK.filter((day) => shift[day] === true).map((day) => ({ day, period }));
    }),
  );
}
