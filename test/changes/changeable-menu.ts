import { DAYS_OF_WEEK, type MenuDocument } from '../../src/menus/menu';

/** A menu with something to change of every kind, which each app takes. `own` is a member that no rule knows. */
export function changeableMenu(name = 'Margherita'): MenuDocument {
  const pizza = {
    ...item('I1', name, '14900'),
    description: 'Tomato and cheese',
    data_modifier_groups: [{ modifier_group_external_id: 'G1' }],
    own: 1,
  };
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
    items: [pizza, item('I2', 'Water', '2500'), item('X1', 'Cheese', '1500')],
    modifier_groups: [
      {
        external_id: 'G1',
        name: 'Extras',
        quantity: { min_quantity: '0', max_quantity: '2' },
        data_options: [{ item_external_id: 'X1', price: { value: '1200' } }],
      },
    ],
  };
}

function item(external_id: string, name: string, value: string) {
  return { external_id, name, price: { value }, data_modifier_groups: [] };
}
