import type { Item, MenuDocument } from '../../src/menus/menu';

/** One thing that a menu can say, as a change of `PLAIN_MENU`. */
export interface MenuExample {
  readonly title: string;
  /** Sentences, as markdown. */
  readonly about: string;
  readonly change: (menu: MenuDocument) => MenuDocument;
}

/** Examples of one field, or of fields that belong together. */
export interface MenuExamples {
  readonly title: string;
  readonly examples: readonly MenuExample[];
}

function option(id: string, name: string, value: string): Item {
  return { external_id: id, name, price: { value }, data_modifier_groups: [] };
}

/** What the examples change: a burger with two choices, a beer, and napkins. */
export const PLAIN_MENU: MenuDocument = {
  menus: [
    {
      identifier: 'main',
      name: 'Menu',
      category_external_ids: ['food'],
      schedules: [{ day_of_week: 'monday', periods: [{ start: '09:00', end: '22:00' }] }],
    },
  ],
  categories: [
    {
      external_id: 'food',
      name: 'Food',
      data_items: [
        { item_external_id: 'burger' },
        { item_external_id: 'beer' },
        { item_external_id: 'napkins' },
      ],
    },
  ],
  items: [
    {
      external_id: 'burger',
      name: 'Burger',
      price: { value: '12000' },
      data_modifier_groups: [
        { modifier_group_external_id: 'extras' },
        { modifier_group_external_id: 'drink' },
      ],
    },
    option('beer', 'Beer', '4500'),
    option('napkins', 'Napkins', '500'),
    option('cheese', 'Cheese', '1500'),
    option('bacon', 'Bacon', '1500'),
    option('water', 'Water', '1000'),
    option('juice', 'Juice', '2500'),
  ],
  modifier_groups: [
    {
      external_id: 'extras',
      name: 'Extras',
      quantity: { min_quantity: '0', max_quantity: '4' },
      data_options: [{ item_external_id: 'cheese' }, { item_external_id: 'bacon' }],
    },
    {
      external_id: 'drink',
      name: 'Drink',
      quantity: { min_quantity: '0', max_quantity: '2' },
      data_options: [{ item_external_id: 'water' }, { item_external_id: 'juice' }],
    },
  ],
};

export function withItem(id: string, fields: Partial<Item>): MenuExample['change'] {
  return (menu) => ({
    ...menu,
    items: menu.items.map((item) => (item.external_id === id ? { ...item, ...fields } : item)),
  });
}
