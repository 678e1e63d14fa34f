import { DAYS_OF_WEEK, type MenuDocument } from '../../src/menus/menu';

/** A menu that every app takes; its item's name says which version it is, also after an app's transform. */
export function versionedMenu(version: number | string, price = '14900'): MenuDocument {
  return {
    menus: [
      {
        identifier: 'M1',
        name: 'Main menu',
        category_external_ids: ['C1'],
        schedules: DAYS_OF_WEEK.map((day_of_week) => ({
          day_of_week,
          periods: [{ start: '09:00', end: '22:00' }],
        })),
      },
    ],
    categories: [
      {
        external_id: 'C1',
        name: 'Pizza',
        data_items: [{ item_external_id: 'I1' }, { item_external_id: 'I2' }],
      },
    ],
    items: [
      {
        external_id: 'I1',
        name: `Margherita, version ${version}.`,
        price: { value: price },
        data_modifier_groups: [],
      },
      {
        external_id: 'I2',
        name: 'Water',
        price: { value: '2500' },
        data_modifier_groups: [],
      },
    ],
    modifier_groups: [],
  };
}

/** The menu without an item, which its categories do not name either. */
export function withoutItem(menu: MenuDocument, externalId: string): MenuDocument {
  return {
    ...menu,
    categories: menu.categories.map((category) => ({
      ...category,
      data_items: category.data_items.filter((item) => item.item_external_id !== externalId),
    })),
    items: menu.items.filter((item) => item.external_id !== externalId),
  };
}

/** The version that an app shows; undefined for an empty shop. */
export function versionIn(payload: unknown): string | undefined {
  return /version (\w+)\./.exec(JSON.stringify(payload) ?? '')?.[1];
}

/** One that no app takes: item I1 has no name. */
export function menuWithoutName(): MenuDocument {
  const menu = versionedMenu(1);
  return {
    ...menu,
    items: menu.items.map((item, n) => (n === 0 ? { ...item, name: '' } : item)),
  };
}
