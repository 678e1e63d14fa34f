import type { DataModifierGroup, GroupQuantity, ModifierGroup } from '../../src/menus/menu';
import { DETAILS } from './detail-examples';
import { type MenuExample, type MenuExamples, withItem } from './plain-menu';

function withGroup(id: string, fields: Partial<ModifierGroup>): MenuExample['change'] {
  return (menu) => ({
    ...menu,
    modifier_groups: menu.modifier_groups.map((group) =>
      group.external_id === id ? { ...group, ...fields } : group,
    ),
  });
}

/** The burger's group with limits of its own. */
function withOwnLimits(groupId: string, quantity: GroupQuantity): MenuExample['change'] {
  const own = (use: DataModifierGroup): DataModifierGroup =>
    use.modifier_group_external_id === groupId ? { ...use, quantity } : use;
  return (menu) => ({
    ...menu,
    items: menu.items.map((item) => ({
      ...item,
      data_modifier_groups: item.data_modifier_groups.map(own),
    })),
  });
}

/** The API takes a time within a year. */
export const UNTIL = '2027-01-31T18:00:00-06:00';

const FREE: MenuExamples = {
  title: 'Free: `free`',
  examples: [
    {
      title: 'An option that costs nothing',
      about: 'In the price of an option in a group, of an item, or of an item in a category.',
      change: withGroup('extras', {
        data_options: [
          { item_external_id: 'cheese', price: { free: true } },
          { item_external_id: 'bacon' },
        ],
      }),
    },
    {
      title: 'A dish at 0 that costs what is chosen with it',
      about: 'A salad bar, say: options on it cost something.',
      change: withItem('burger', { price: { free: true } }),
    },
    {
      title: 'A dish at 0 without anything to pay',
      about: 'It may be a mistake, so it is said. App D takes no such menu.',
      change: withItem('napkins', { price: { free: true } }),
    },
    {
      title: 'The older way to say it',
      about:
        'With `MENU_ZERO_PRICES=accept` the value `"0"` is the same as `free`, in each of these places.',
      change: withItem('burger', { price: { value: '0' } }),
    },
  ],
};

const EXACTLY: MenuExamples = {
  title: 'Exactly so many: `exactly`',
  examples: [
    {
      title: 'A choice of exactly one',
      about:
        'In any quantity, in place of both `min_quantity` and `max_quantity`. With `MENU_EQUAL_QUANTITIES=accept` two equal limits say the same.',
      change: withGroup('drink', { quantity: { exactly: '1' } }),
    },
    {
      title: 'At one dish',
      about: 'The quantity of a group on an item stands in place of the group’s.',
      change: withOwnLimits('drink', { exactly: '1' }),
    },
  ],
};

const INCLUDED: MenuExamples = {
  title: 'Included units: `free_quantity`',
  examples: [
    {
      title: 'Two included, each further one at its price',
      about:
        'All options have one price here. It is 0 to the max, in a group or at an item’s group.',
      change: withGroup('extras', {
        quantity: { min_quantity: '0', max_quantity: '4', free_quantity: '2' },
      }),
    },
    {
      title: 'The same where prices differ',
      about:
        'App B charges the dearest. The other apps show two groups, of which the first is free: a guest can pay while free units are left.',
      change: withGroup('drink', {
        quantity: { min_quantity: '0', max_quantity: '2', free_quantity: '1' },
      }),
    },
    {
      title: 'All of it included',
      about: 'As many units are free as can be chosen.',
      change: withGroup('drink', {
        quantity: { min_quantity: '0', max_quantity: '2', free_quantity: '2' },
      }),
    },
  ],
};

const OFF_SALE: MenuExamples = {
  title: 'Off sale from the first minute: `available`, `unavailable_until`',
  examples: [
    {
      title: 'Until somebody says otherwise',
      about:
        'The mark is that of `POST /menus/availability`, and ended by it. The fragments are what is written into the payload as it is pushed.',
      change: withItem('beer', { available: false }),
    },
    {
      title: 'Until a time',
      about:
        'An ISO 8601 date-time with an offset, within a year. No app is told the time but App A.',
      change: withItem('beer', {
        available: false,
        unavailable_until: UNTIL,
      }),
    },
  ],
};

const SEASONS: MenuExamples = {
  title: 'Seasons: `visible_from`, `visible_until`',
  examples: [
    {
      title: 'In December, and until Twelfth Night',
      about:
        'Days of the store, both inclusive; either may stand alone. Outside of them the item is off sale by our own timers, as what was pushed before the season shows here. The store needs a `time_zone`.',
      change: withItem('beer', { visible_from: '2030-12-01', visible_until: '2031-01-06' }),
    },
  ],
};

export const MENU_EXAMPLES: readonly MenuExamples[] = [
  FREE,
  EXACTLY,
  INCLUDED,
  OFF_SALE,
  SEASONS,
  DETAILS,
];
