import {
  countOf,
  type Fields,
  fieldsOf,
  objectsIn,
  optionalText,
  priceDigits,
  textOf,
} from '../read-payload';
import type {
  Shown,
  ShownCategory,
  ShownGroup,
  ShownItem,
  ShownLimits,
  ShownOption,
} from '../shown';
import type { ShownContext } from '../types';

/**
 * What App D shows of a payload: a product occurs once for each of its categories, with all its toppings. The app has
 * no menu above that list, so the result uses the menu that was sent.
 */
export function readShownByAppD(payload: unknown, { sentMenus: [menu] }: ShownContext): Shown {
  const products = objectsIn(fieldsOf(payload)['items']);
  const items = new Map<string, ShownItem>();
  const groups = new Map<string, ShownGroup>();
  for (const product of products) {
    const id = textOf(product['sku']);
    if (items.has(id)) continue;
    const ofProduct = toGroups(objectsIn(product['children']));
    items.set(id, toItem(product, ofProduct));
    for (const group of ofProduct) {
      if (!groups.has(group.external_id)) groups.set(group.external_id, group);
    }
  }
  for (const topping of products.flatMap((product) => objectsIn(product['children']))) {
    const id = textOf(topping['sku']);
    if (!items.has(id)) items.set(id, toItem(topping, []));
  }
  return {
    menus: [
      {
        identifier: menu?.identifier ?? '',
        name: menu?.name ?? '',
        description: null,
        hours: [],
        categories: toCategories(products),
      },
    ],
    items: [...items.values()],
    modifier_groups: [...groups.values()],
  };
}

interface Placed<Value> {
  readonly position: number;
  readonly value: Value;
}

/** Ordered by position rather than by place in the list. */
function inPlace<Value>(entries: readonly Placed<Value>[]): readonly Value[] {
  return entries.toSorted((one, other) => one.position - other.position).map(({ value }) => value);
}

function toCategories(products: readonly Fields[]): readonly ShownCategory[] {
  const categories = new Map<string, Placed<{ name: string; items: Placed<string>[] }>>();
  for (const product of products) {
    const category = fieldsOf(product['category']);
    const id = textOf(category['id']);
    const item = { position: positionOf(product), value: textOf(product['sku']) };
    const known = categories.get(id);
    if (known) known.value.items.push(item);
    else {
      const value = { name: textOf(category['name']), items: [item] };
      categories.set(id, { position: positionOf(category), value });
    }
  }
  return inPlace(
    [...categories].map(
      ([
        id,
        {
          position,
          value: { name, items },
        },
      ]) => ({
        position,
        value: { external_id: id, name, description: null, items: inPlace(items) },
      }),
    ),
  );
}

function toItem(entry: Fields, groups: readonly ShownLimits[]): ShownItem {
  return {
    external_id: textOf(entry['sku']),
    name: textOf(entry['name']),
    description: optionalText(entry['description']),
    image_url: optionalText(entry['imageUrl']),
    price: toPrice(entry),
    promotion_price: null,
    prices_by_menu: [],
    hours: null,
    // The app stores what is switched off separately from the menu.
    available: true,
    modifier_groups: groups.map(({ external_id: id, min, max }) => ({
      external_id: id,
      min,
      max,
    })),
  };
}

function toGroups(toppings: readonly Fields[]): readonly ShownGroup[] {
  const groups = new Map<string, Placed<Fields> & { readonly toppings: Placed<Fields>[] }>();
  for (const topping of toppings) {
    const group = fieldsOf(topping['category']);
    const id = textOf(group['id']);
    const placed = { position: positionOf(topping), value: topping };
    const known = groups.get(id);
    if (known) known.toppings.push(placed);
    else groups.set(id, { position: positionOf(group), value: group, toppings: [placed] });
  }
  return inPlace(
    [...groups].map(([id, { position, value: group, toppings: ofGroup }]) => {
      const max = countOf(group['maxQty']);
      return {
        position,
        value: {
          external_id: id,
          name: textOf(group['name']),
          min: countOf(group['minQty']),
          max,
          options: inPlace(ofGroup).map((topping) => toOption(topping, max)),
        },
      };
    }),
  );
}

/** A topping always has a maximum: an option without limits gets the group's. */
function toOption(topping: Fields, groupMax: number): ShownOption {
  const max = countOf(topping['maxLimit']);
  const isLimited = max < groupMax;
  return {
    external_id: textOf(topping['sku']),
    price: toPrice(topping),
    promotion_price: null,
    min: isLimited ? 0 : null,
    max: isLimited ? max : null,
  };
}

/** Whole units or decimals: both are numbers of the currency's main unit. */
function toPrice(entry: Fields): string {
  return priceDigits(entry['price'], 100) ?? '';
}

function positionOf(entry: Fields): number {
  return countOf(entry['sortingPosition']);
}
