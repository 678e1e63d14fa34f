import { DAYS_OF_WEEK, type MenuDocument, type Period } from '../../src/menus/menu';

/** A menu that has something in every field that one of the apps has; none of them refuses it. `menus`: two, or the first. */
export function richMenu(menus: 1 | 2): MenuDocument {
  const night = { identifier: 'M2', name: 'Night', category_external_ids: ['C3'] };
  return {
    menus: [
      {
        identifier: 'M1',
        name: 'Main menu',
        description: 'All day',
        category_external_ids: ['C1', 'C2'],
        schedules: everyDay({ start: '09:00', end: '15:00' }, { start: '18:00', end: '23:00' }),
      },
      ...(menus === 2 ? [{ ...night, schedules: everyDay({ start: '20:00', end: '23:59' }) }] : []),
    ],
    categories: [
      {
        external_id: 'C1',
        name: 'Pizza',
        description: 'From the oven',
        data_items: [
          { item_external_id: 'I1' },
          { item_external_id: 'I/2', price: { value: '12000' } },
        ],
      },
      { external_id: 'C2', name: 'Drinks', data_items: [{ item_external_id: 'I3' }] },
      ...(menus === 2
        ? [
            {
              external_id: 'C3',
              name: 'Late',
              data_items: [{ item_external_id: 'I3', price: { value: '2200' } }],
            },
          ]
        : []),
    ],
    items: [
      {
        external_id: 'I1',
        name: 'Margherita',
        description: 'Tomato and cheese',
        image_url: 'https://images.example/1.png',
        price: { value: '15000' },
        data_modifier_groups: [
          { modifier_group_external_id: 'G1', quantity: limits('1', '2') },
          { modifier_group_external_id: 'G2' },
        ],
        details: {
          tax: { rate: '1600', excise_rate: '800' },
          tax_labels: ['CAT_FOOD'],
          alcohol: { units: '1', by_volume: '450' },
          serves_alone: true,
          allergens: ['gluten', 'milk'],
          diets: ['vegetarian'],
          calories: { from: '800', to: '900' },
          barcode: '4006381333931',
          bundled_items: [{ item_external_id: 'I3', quantity: '2' }],
          deposit: { value: '300' },
        },
      },
      {
        external_id: 'I/2',
        name: 'Calzone',
        // Too long for every app that has a limit, in letters of two code points each.
        description: 'e\u0301'.repeat(1_001),
        price: { value: '13000' },
        data_modifier_groups: [{ modifier_group_external_id: 'G1' }],
      },
      {
        external_id: 'I3',
        name: 'Water',
        price: { value: '2500', promotion_value: '2000' },
        schedules: everyDay({ start: '10:00', end: '22:00' }),
        data_modifier_groups: [{ modifier_group_external_id: 'G4' }],
      },
      {
        ...extra('X1', 'Cheese', '1500'),
        data_modifier_groups: [{ modifier_group_external_id: 'G3' }],
      },
      extra('X2', 'Ham', '2000'),
      extra('X3', 'Gratinated', '500'),
      extra('X4', 'Salt', '500'),
    ],
    modifier_groups: [
      {
        external_id: 'G1',
        name: 'Extras',
        quantity: limits('0', '2'),
        data_options: [
          { item_external_id: 'X1', price: { value: '1200' } },
          { item_external_id: 'X2', quantity: limits('0', '1') },
        ],
      },
      {
        external_id: 'G2',
        name: 'Second topping',
        quantity: { exactly: '1' },
        data_options: [
          { item_external_id: 'X2' },
          { item_external_id: 'X4', price: { free: true } },
        ],
      },
      {
        external_id: 'G3',
        name: 'Kind of cheese',
        quantity: limits('0', '1'),
        data_options: [{ item_external_id: 'X3' }],
      },
      {
        external_id: 'G4',
        name: 'Ice',
        quantity: { ...limits('0', '2'), free_quantity: '1' },
        data_options: [{ item_external_id: 'X3' }],
      },
    ],
  };
}

/** The same menu with other values where the app has calls about single items for them. */
export function changedRichMenu(menus: 1 | 2, app: string): MenuDocument {
  const menu = richMenu(menus);
  const change = (id: string, changes: (item: MenuDocument['items'][number]) => object) =>
    menu.items.map((item) =>
      item.external_id === id ? { ...item, ...changes(item) } : item,
    ) as MenuDocument['items'];
  const price = { value: '16000' };
  const groups = menu.modifier_groups.map((group) => ({
    ...group,
    data_options: group.data_options.map((option) =>
      group.external_id === 'G1' && option.item_external_id === 'X1'
        ? { ...option, price: { value: '1300' } }
        : option,
    ),
  }));
  const withGroups = { ...menu, modifier_groups: groups };
  if (app === 'app-a') {
    const details = {
      alcohol: { units: '2', by_volume: '500' },
      serves_alone: false,
      allergens: ['milk'],
      diets: [],
      calories: { from: '700', to: '700' },
      barcode: '96385074',
      deposit: { value: '400' },
    };
    const items = change('I1', (item) => ({ price, details: { ...item.details, ...details } }));
    return { ...withGroups, items };
  }
  const texts = { name: 'Marinara', image_url: 'https://images.example/2.png', price };
  if (app === 'app-b') {
    const items = change('I1', () => ({ ...texts, description: null }));
    return { ...withGroups, items };
  }
  const tax = { rate: '0' };
  const items = change('I1', (item) => ({
    ...texts,
    description: 'Tomato',
    schedules: everyDay({ start: '11:00', end: '22:00' }),
    details: { ...item.details, tax },
  }));
  return { ...withGroups, items };
}

function extra(external_id: string, name: string, value: string) {
  return { external_id, name, price: { value }, data_modifier_groups: [] };
}

function limits(min_quantity: string, max_quantity: string) {
  return { min_quantity, max_quantity };
}

function everyDay(...periods: readonly Period[]) {
  return DAYS_OF_WEEK.map((day_of_week) => ({ day_of_week, periods }));
}
