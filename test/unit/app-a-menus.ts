import { transformForAppA } from '../../src/delivery-apps/app-a/transform';
import type { StoreFacts, TransformInput, TransformResult } from '../../src/delivery-apps/types';
import type { Category, Item, Menu, MenuDocument, ModifierGroup } from '../../src/menus/menu';

export const STORE: StoreFacts = {
  appStoreId: '6f0d1c4e-93a7-4c7e-9a52-0c8f3f6f0a11',
  currencyExponent: 2,
  locale: 'es_mx',
};

type Lists = Partial<MenuDocument> & Partial<Omit<TransformInput, 'menu'>>;

/** Transforms one menu M1 with one category C1 with one item I1, and whatever differs from that. */
export function transform({
  store = STORE,
  badImages,
  maximumPrice,
  priceUnit,
  ...lists
}: Lists): TransformResult {
  const document: MenuDocument = {
    menus: [menu('M1', ['C1'])],
    categories: [category('C1', [{ item_external_id: 'I1' }])],
    items: [item('I1', '1000')],
    modifier_groups: [],
    ...lists,
  };
  return transformForAppA({
    menu: document,
    store,
    ...(badImages && { badImages }),
    ...(maximumPrice !== undefined && { maximumPrice }),
    ...(priceUnit && { priceUnit }),
  });
}

export function itemOf(payload: unknown, id: string): unknown {
  const { items } = payload as { items: readonly { id: string }[] };
  const found = items.filter((one) => one.id === id);
  expect(found).toHaveLength(1);
  return found[0];
}

export function allWeek(): Menu['schedules'] {
  return [{ day_of_week: 'monday', periods: [{ start: '09:00', end: '22:00' }] }];
}

export function menu(identifier: string, categoryIds: readonly string[]): Menu {
  return {
    identifier,
    name: `Menu ${identifier}`,
    category_external_ids: categoryIds,
    schedules: allWeek(),
  };
}

export function category(id: string, dataItems: Category['data_items']): Category {
  return { external_id: id, name: `Category ${id}`, data_items: dataItems };
}

export function item(id: string, value: string, groupIds: readonly string[] = []): Item {
  return {
    external_id: id,
    name: `Item ${id}`,
    price: { value },
    data_modifier_groups: groupIds.map((groupId) => ({ modifier_group_external_id: groupId })),
  };
}

export function group(id: string, options: ModifierGroup['data_options']): ModifierGroup {
  return {
    external_id: id,
    name: `Group ${id}`,
    quantity: quantity('0', '1'),
    data_options: options,
  };
}

export function quantity(min: string, max: string): ModifierGroup['quantity'] {
  return { min_quantity: min, max_quantity: max };
}
