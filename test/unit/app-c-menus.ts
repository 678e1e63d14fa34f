import { transformForAppC } from '../../src/delivery-apps/app-c/transform';
import type { WireGroup, WireItem, WirePayload } from '../../src/delivery-apps/app-c/wire';
import type { Loss, StoreFacts, TransformInput } from '../../src/delivery-apps/types';
import type {
  Category,
  DataItem,
  DataOption,
  DayOfWeek,
  Item,
  Menu,
  MenuDocument,
  ModifierGroup,
  Schedule,
} from '../../src/menus/menu';

export const STORE: StoreFacts = { appStoreId: 'shop-1', currencyExponent: 2, locale: 'es_mx' };

type Differences = Partial<MenuDocument> & Partial<Omit<TransformInput, 'menu'>>;

export interface Transformed {
  readonly payload: WirePayload;
  readonly losses: readonly Loss[];
  readonly item: (id: string) => WireItem;
  readonly group: (id: string) => WireGroup;
  /** The losses of a code, as pointers. */
  readonly at: (code: Loss['code']) => readonly string[];
}

/** Transforms one menu M1 with one category C1 with one item I1, and whatever differs from that. */
export function transform({
  store = STORE,
  badImages,
  levels = 1,
  ...lists
}: Differences = {}): Transformed {
  const result = transformForAppC({
    menu: {
      menus: [menu('M1', ['C1'])],
      categories: [category('C1', ['I1'])],
      items: [item('I1')],
      modifier_groups: [],
      ...lists,
    },
    store,
    ...(badImages && { badImages }),
    levels,
  });
  const payload = result.payload as WirePayload;
  return {
    payload,
    losses: result.losses,
    item: (id) => one(payload.items.filter((each) => each.app_item_id === id)),
    group: (id) => one(payload.modifier_groups.filter((each) => each.app_modifier_group_id === id)),
    at: (code) => result.losses.filter((loss) => loss.code === code).map(({ pointer }) => pointer),
  };
}

function one<T>([first, ...others]: readonly T[]): T {
  if (!first || others.length > 0) throw new Error('There is not exactly one.');
  return first;
}

export function on(day: DayOfWeek, ...times: readonly string[]): Schedule {
  const periods = times.map((time) => ({ start: time.slice(0, 5), end: time.slice(6) }));
  return { day_of_week: day, periods };
}

export function menu(identifier: string, categoryIds: readonly string[]): Menu {
  return {
    identifier,
    name: `Menu ${identifier}`,
    category_external_ids: categoryIds,
    schedules: [on('monday', '09:00-22:00')],
  };
}

export function category(id: string, itemIds: readonly string[]): Category {
  return {
    external_id: id,
    name: `Category ${id}`,
    data_items: itemIds.map((itemId) => ({ item_external_id: itemId })),
  };
}

export function item(id: string, differences: Partial<Item> = {}): Item {
  return {
    external_id: id,
    name: `Item ${id}`,
    price: { value: '1000' },
    data_modifier_groups: [],
    ...differences,
  };
}

export function group(
  id: string,
  optionIds: readonly string[],
  differences: Partial<ModifierGroup> = {},
): ModifierGroup {
  return {
    external_id: id,
    name: `Group ${id}`,
    quantity: quantity(0, 2),
    data_options: optionIds.map((optionId) => ({ item_external_id: optionId })),
    ...differences,
  };
}

export function quantity(min: number, max: number): ModifierGroup['quantity'] {
  return { min_quantity: String(min), max_quantity: String(max) };
}

/** A reference of an item to a modifier group. */
export function uses(groupId: string): { readonly modifier_group_external_id: string } {
  return { modifier_group_external_id: groupId };
}

/** A data item or data option with a price of its own. */
export function priced(id: string, value: string): DataItem & DataOption {
  return { item_external_id: id, price: { value } };
}
