import { DAYS_OF_WEEK } from '../../menus/menu';
import {
  countOf,
  type Fields,
  fieldsOf,
  objectsIn,
  optionalCount,
  optionalText,
  priceDigits,
  textOf,
  textsIn,
  toHours,
} from '../read-payload';
import { hundredthsInLowest } from '../prices';
import type { Shown, ShownCategory, ShownGroup, ShownHours, ShownItem, ShownMenu } from '../shown';
import type { ShownContext } from '../types';
import { readDetails } from './read-details';

/** What App A shows of a payload: an override counts in its context, otherwise the value of the entity. */
export function readShownByAppA(payload: unknown, context: ShownContext): Shown {
  const { menus, categories, items, modifier_groups: groups } = fieldsOf(payload);
  const hundredths =
    context.priceUnit === 'lowest' ? hundredthsInLowest(context.store.currencyExponent) : 1;
  const reading: Reading = {
    locale: context.store.locale,
    toPrice: (value) => priceDigits(value, hundredths) ?? '',
    categories: byId(objectsIn(categories)),
    groups: byId(objectsIn(groups)),
    items: byId(objectsIn(items)),
  };
  return {
    menus: objectsIn(menus).map((menu) => toMenu(menu, reading)),
    items: objectsIn(items).map((item) => toItem(item, reading)),
    modifier_groups: objectsIn(groups).map((group) => toGroup(group, reading)),
  };
}

interface Reading {
  readonly locale: string;
  readonly toPrice: (value: unknown) => string;
  readonly categories: ReadonlyMap<string, Entity>;
  readonly groups: ReadonlyMap<string, Entity>;
  readonly items: ReadonlyMap<string, Entity>;
}

interface Entity {
  readonly fields: Fields;
  /** Overrides of prices or quantities, by the kind and id of their context. */
  readonly overrides: ReadonlyMap<string, Fields>;
}

function byId(entities: readonly Fields[]): ReadonlyMap<string, Entity> {
  return new Map(
    entities.map((fields) => [
      textOf(fields['id']),
      {
        fields,
        overrides: new Map(
          ['price_info', 'quantity_info'].flatMap((info) =>
            objectsIn(fieldsOf(fields[info])['overrides']).map((override) => [
              `${info} ${textOf(override['context_type'])} ${textOf(override['context_value'])}`,
              override,
            ]),
          ),
        ),
      },
    ]),
  );
}

function toMenu(menu: Fields, reading: Reading): ShownMenu {
  return {
    identifier: textOf(menu['id']),
    name: toText(menu['title'], reading),
    description: toText(menu['subtitle'], reading) || null,
    hours: toWeek(menu['service_availability']),
    categories: textsIn(menu['category_ids']).flatMap((id): ShownCategory[] => {
      const category = reading.categories.get(id)?.fields;
      if (!category) return [];
      return [
        {
          external_id: id,
          name: toText(category['title'], reading),
          description: toText(category['subtitle'], reading) || null,
          items: objectsIn(category['entities']).map((entity) => textOf(entity['id'])),
        },
      ];
    }),
  };
}

function toWeek(availability: unknown): readonly ShownHours[] {
  return toHours(
    objectsIn(availability).flatMap((entry) => {
      const day = DAYS_OF_WEEK.find((name) => name === entry['day_of_week']);
      if (!day) return [];
      return objectsIn(entry['time_periods']).map(({ start_time: start, end_time: end }) => ({
        day,
        period: { start: textOf(start), end: textOf(end) },
      }));
    }),
  );
}

function toItem(item: Fields, { groups, locale, toPrice }: Reading): ShownItem {
  const id = textOf(item['id']);
  const price = toPrice(fieldsOf(item['price_info'])['price']);
  const details = readDetails(item, toPrice);
  return {
    external_id: id,
    name: toText(item['title'], { locale }),
    description: toText(item['description'], { locale }) || null,
    image_url: optionalText(item['image_url']),
    price,
    promotion_price: null,
    prices_by_menu: objectsIn(fieldsOf(item['price_info'])['overrides']).flatMap((override) => {
      const other = toPrice(override['price']);
      if (override['context_type'] !== 'MENU' || other === price) return [];
      const identifier = textOf(override['context_value']);
      return [{ identifier, price: other, promotion_price: null }];
    }),
    hours: null,
    available: !isSuspended(item),
    modifier_groups: textsIn(fieldsOf(item['modifier_group_ids'])['ids']).map((groupId) => {
      const group = groups.get(groupId);
      const limits =
        group?.overrides.get(`quantity_info ITEM ${id}`) ??
        fieldsOf(group?.fields['quantity_info']);
      const free = countOf(fieldsOf(limits['quantity'])['charge_above']);
      return {
        external_id: groupId,
        ...toLimits(limits['quantity']),
        ...(free > 0 && { free_quantity: free }),
      };
    }),
    ...(details && { details }),
  };
}

/** An end in the past means not suspended; the far future that we send means suspended. */
function isSuspended(item: Fields): boolean {
  const until = fieldsOf(fieldsOf(item['suspension_info'])['suspension'])['suspend_until'];
  return typeof until === 'number' && until * 1_000 > Date.now();
}

function toGroup(group: Fields, reading: Reading): ShownGroup {
  const id = textOf(group['id']);
  return {
    external_id: id,
    name: toText(group['title'], reading),
    ...toLimits(fieldsOf(group['quantity_info'])['quantity']),
    options: objectsIn(group['modifier_options']).map((option) => {
      const optionId = textOf(option['id']);
      const item = reading.items.get(optionId);
      const price =
        item?.overrides.get(`price_info MODIFIER_GROUP ${id}`) ??
        fieldsOf(item?.fields['price_info']);
      // An item's own quantity counts inside groups, and only there.
      const { quantity } =
        item?.overrides.get(`quantity_info MODIFIER_GROUP ${id}`) ??
        fieldsOf(item?.fields['quantity_info']);
      const limits = fieldsOf(quantity);
      return {
        external_id: optionId,
        price: reading.toPrice(price['price']),
        promotion_price: null,
        min: optionalCount(limits['min_permitted']),
        max: optionalCount(limits['max_permitted']),
      };
    }),
  };
}

function toLimits(quantity: unknown): { readonly min: number; readonly max: number } {
  const { min_permitted: min, max_permitted: max } = fieldsOf(quantity);
  return { min: countOf(min), max: countOf(max) };
}

/** The text in the store's language, or in the first available one. */
function toText(text: unknown, { locale }: Pick<Reading, 'locale'>): string {
  const translations = fieldsOf(fieldsOf(text)['translations']);
  return textOf(translations[locale] ?? Object.values(translations)[0]);
}
