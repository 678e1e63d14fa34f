import type { FieldMenu } from '../support/field-menu';

export function item(external_id: string, rest: object = {}) {
  return {
    external_id,
    name: external_id,
    price: { value: '1000' },
    data_modifier_groups: [],
    ...rest,
  };
}

/** A menu that offers soup and cake, of a store in Mexico. */
export function menuOf(items: readonly ReturnType<typeof item>[]): FieldMenu {
  return {
    store_country: 'MX',
    menu: {
      menus: [
        {
          identifier: 'M1',
          name: 'Menu',
          category_external_ids: ['C1'],
          schedules: [{ day_of_week: 'monday', periods: [{ start: '09:00', end: '22:00' }] }],
        },
      ],
      categories: [
        {
          external_id: 'C1',
          name: 'All',
          data_items: [{ item_external_id: 'soup' }, { item_external_id: 'cake' }],
        },
      ],
      items,
      modifier_groups: [],
    },
  };
}
