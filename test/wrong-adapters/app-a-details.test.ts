import { createAppA } from '../../dev/sandbox/app-a/app-a';
import { describeWrongAdapters } from './describe-wrong-adapters';
import type { WrongAdapter } from './judge-adapter';
import { drop, set } from './spoil';

const CLASSES = 'items.0.dish_info.classifications';
const details: readonly WrongAdapter[] = [
  {
    what: 'nests groups without end',
    payload: set('items.5.modifier_group_ids', { ids: ['G3'] }),
    found: 'rejected ["Too Many Levels',
  },
  {
    what: 'sends hundredths of a percent',
    payload: set('items.0.tax_info.vat_rate_percentage', 1_600),
    found: 'rejected ["Invalid Tax',
  },
  ...(
    [
      ['puts an included tax on top', set('items.0.tax_info', { tax_rate: 16, mx_ieps_rate: 8 })],
      ['loses the excise', drop('items.0.tax_info.mx_ieps_rate')],
      ['loses tax labels', drop('items.0.tax_label_info')],
      ['loses alcohol', drop(`${CLASSES}.alcoholic_items`)],
      ['sends percent of alcohol', set('items.0.beverage_info.alcohol_by_volume', 4)],
      ['serves nothing alone', set(`${CLASSES}.can_serve_alone`, false)],
      ['loses an allergen', set('items.0.nutritional_info.allergens', ['GLUTEN'])],
      ['loses diets', drop(`${CLASSES}.dietary_label_info`)],
      [
        'sends calories one for one',
        set('items.0.nutritional_info.calories.energy_interval', { lower: 800, upper: 900 }),
      ],
      ['loses a barcode', drop('items.0.product_info')],
      ['bundles one of two', set('items.0.bundled_items.0.included_quantity', 1)],
      ['sends a deposit in whole units', set('items.0.price_info.container_deposit', 3)],
    ] as const
  ).map(([what, payload]) => ({ what, payload, found: 'shows otherwise: the ' })),
];

describeWrongAdapters({
  app: { name: 'app-a', menus: 2, endsSuspensions: true, simulate: createAppA },
  wrong: details,
  rules: ['Invalid Tax', 'Too Many Levels'],
});
