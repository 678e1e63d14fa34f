import type { MenuDocument } from '../menu';

/** A small menu that is valid and has every optional part, so that each rule can be broken in it. */
export const EXAMPLE_MENU: MenuDocument = {
  menus: [
    {
      identifier: 'M1',
      name: 'Lunch',
      description: 'Served until five.',
      category_external_ids: ['C1'],
      schedules: [{ day_of_week: 'monday', periods: [{ start: '09:00', end: '17:00' }] }],
    },
  ],
  categories: [
    {
      external_id: 'C1',
      name: 'Burgers',
      data_items: [{ item_external_id: 'I1', price: { value: '11900', promotion_value: '9900' } }],
    },
  ],
  items: [
    {
      external_id: 'I1',
      name: 'Cheeseburger',
      description: 'With cheddar.',
      image_url: 'https://images.example/cheeseburger.jpg',
      schedules: [{ day_of_week: 'monday', periods: [{ start: '12:00', end: '15:00' }] }],
      price: { value: '12900' },
      data_modifier_groups: [
        {
          modifier_group_external_id: 'G1',
          quantity: { min_quantity: '0', max_quantity: '2' },
        },
      ],
    },
    { external_id: 'I2', name: 'Bacon', price: { value: '1500' }, data_modifier_groups: [] },
  ],
  modifier_groups: [
    {
      external_id: 'G1',
      name: 'Extras',
      quantity: { min_quantity: '0', max_quantity: '3' },
      data_options: [
        {
          item_external_id: 'I2',
          price: { value: '1200' },
          quantity: { min_quantity: '0', max_quantity: '2' },
        },
      ],
    },
  ],
};
