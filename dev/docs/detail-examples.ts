import type { ItemDetails } from '../../src/menus/details';
import { type MenuExample, type MenuExamples, withItem } from './plain-menu';

function withDetails(id: string, details: ItemDetails): MenuExample['change'] {
  return withItem(id, { details });
}

/** Of each member. */
export const DETAILS: MenuExamples = {
  title: 'What is known of an item: `details`',
  examples: [
    {
      title: '`tax`: included in the price',
      about: 'Rates have two implied decimals: `"1600"` is 16 %. The store is in Mexico.',
      change: withDetails('burger', { tax: { rate: '1600' } }),
    },
    {
      title: '`tax`: with an excise',
      about: 'In Mexico only.',
      change: withDetails('beer', { tax: { rate: '1600', excise_rate: '2650' } }),
    },
    {
      title: '`tax`: on top of the price',
      about: 'App C has no such taxes, and knows an IVA of 0 or 16 % alone.',
      change: withDetails('burger', { tax: { rate: '800', included: false } }),
    },
    {
      title: '`tax_labels`',
      about: 'Words of the app, one to five.',
      change: withDetails('burger', { tax_labels: ['CAT_PREPARED_FOOD', 'TEMP_HEATED'] }),
    },
    {
      title: '`alcohol`',
      about:
        '`units` is how many units of alcohol it has, `by_volume` has two implied decimals. App A keeps for ever that an item is alcohol.',
      change: withDetails('beer', { alcohol: { units: '1', by_volume: '450' } }),
    },
    {
      title: '`alcohol`: stated that there is none',
      about: 'An absent `alcohol` states nothing.',
      change: withDetails('burger', { alcohol: { units: '0' } }),
    },
    {
      title: '`serves_alone`',
      about: 'Whether it counts as a meal where alcohol needs one.',
      change: withDetails('burger', { serves_alone: true }),
    },
    {
      title: '`allergens`',
      about: 'Of the 14 of the EU.',
      change: withDetails('burger', { allergens: ['gluten', 'tree_nuts'] }),
    },
    {
      title: '`diets`',
      about: 'Seven words, of which App A knows three.',
      change: withDetails('burger', { diets: ['vegetarian', 'halal'] }),
    },
    {
      title: '`calories`',
      about: '`from` and `to`, or one of them.',
      change: withDetails('burger', { calories: { from: '650', to: '800' } }),
    },
    {
      title: '`barcode`',
      about: '8, 12, 13 or 14 digits with the right check digit.',
      change: withDetails('beer', { barcode: '4006381333931' }),
    },
    {
      title: '`bundled_items`',
      about: 'What the item is made of. App A is told the price of each, App D that it is a combo.',
      change: withDetails('burger', {
        bundled_items: [{ item_external_id: 'beer', quantity: '2' }],
      }),
    },
    {
      title: '`deposit`',
      about: 'As a price. App A shows it and does not charge it.',
      change: withDetails('beer', { deposit: { value: '100' } }),
    },
  ],
};
