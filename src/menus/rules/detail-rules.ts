import { LIMITS } from '../../../schemas/limits';
import { ALLERGENS, DIETS, isBarcode } from '../details';
import {
  ANY,
  count,
  DETAILS,
  numberRules,
  oneOf,
  set,
  wordsRules,
  wrongType,
} from './detail-sentences';
import { requiredText } from './menu-sentences';
import { put, rule, type Change } from './rule';

const bundled = (item_external_id: unknown, quantity: unknown = '1') => ({
  bundled_items: [{ item_external_id, quantity }],
});
const BUNDLED_ID = `${DETAILS}/bundled_items/*/item_external_id`;

/** In the order of their sentences. */
export const DETAIL_RULES = {
  notObject: rule(
    'not_object',
    DETAILS,
    'The item details must be an object.',
    put(DETAILS, 'none'),
  ),
  tax: {
    notObject: wrongType('not_object', 'tax', 'tax', { tax: '1600' }),
    rateRequired: rule(
      'required',
      `${DETAILS}/tax/rate`,
      'The item tax must have a rate.',
      set({ tax: {} }),
    ),
    rate: numberRules('tax/rate', 'tax rate', [0, 10_000], (rate) => [set({ tax: { rate } })]),
    includedNotBoolean: wrongType('not_boolean', 'tax/included', 'tax included mark', {
      tax: { rate: '1600', included: 'yes' },
    }),
    excise: numberRules('tax/excise_rate', 'excise rate', [0, 20_000], (excise_rate) => [
      set({ tax: { rate: '1600', excise_rate } }),
    ]),
  },
  taxLabels: {
    ...wordsRules(
      'tax_labels',
      ['tax labels', 'tax label'],
      (label) => /^[A-Z0-9_]{1,64}$/.test(label),
      ['CAT_FOOD', 'cat food'],
    ),
    wrongCount: count('tax_labels', 'tax labels', 5, { tax_labels: [] }),
  },
  alcohol: {
    notObject: wrongType('not_object', 'alcohol', 'alcohol', { alcohol: true }),
    unitsRequired: rule(
      'required',
      `${DETAILS}/alcohol/units`,
      'The item alcohol must have units.',
      set({ alcohol: {} }),
    ),
    units: numberRules('alcohol/units', 'alcohol units', [0, 99], (units) => [
      set({ alcohol: { units } }),
    ]),
    byVolume: numberRules('alcohol/by_volume', 'alcohol by volume', [0, 10_000], (by_volume) => [
      set({ alcohol: { units: '1', by_volume } }),
    ]),
  },
  servesAloneNotBoolean: wrongType('not_boolean', 'serves_alone', 'serves alone mark', {
    serves_alone: 'no',
  }),
  allergens: wordsRules('allergens', ['allergens', 'allergen'], oneOf(ALLERGENS), ['milk', 'Milk']),
  diets: wordsRules('diets', ['diets', 'diet'], oneOf(DIETS), ['vegan', 'paleo']),
  calories: {
    notObject: wrongType('not_object', 'calories', 'calories', { calories: '250' }),
    from: numberRules('calories/from', 'calories from', [0, 99_999], (from) => [
      set({ calories: { from } }),
    ]),
    to: numberRules('calories/to', 'calories to', [0, 99_999], (to) => [set({ calories: { to } })]),
    toBelowFrom: rule(
      'below_minimum',
      `${DETAILS}/calories/to`,
      'The item calories to must not be less than the calories from.',
      set({ calories: { from: '300', to: '250' } }),
    ),
  },
  barcode: {
    notString: wrongType('not_string', 'barcode', 'barcode', { barcode: 4_006_381_333_931 }),
    notValid: rule(
      'not_valid',
      `${DETAILS}/barcode`,
      'The item barcode is not valid: VALUE',
      set({ barcode: '4006381333930' }),
    ),
    isValid: isBarcode,
  },
  bundledItems: {
    notArray: wrongType('not_array', 'bundled_items', 'bundled items', { bundled_items: 'I1' }),
    wrongCount: count('bundled_items', 'bundled items', 20, { bundled_items: [] }),
    notObject: rule(
      'not_object',
      `${DETAILS}/bundled_items/*`,
      'The item bundled item must be an object.',
      set({ bundled_items: ['I1'] }),
    ),
    id: {
      ...requiredText({
        subject: 'The item bundled item',
        words: 'external id',
        where: BUNDLED_ID,
        maxLength: LIMITS.id,
        set: (value = '') => [set(bundled(value))],
      }),
      unknown: {
        ...rule(
          'unknown_reference',
          BUNDLED_ID,
          'The item bundled item external id does not exist: VALUE',
          set(bundled('NO-SUCH-ID')),
        ),
        refersTo: 'items' as const,
      },
    },
    quantityRequired: rule(
      'required',
      `${DETAILS}/bundled_items/*/quantity`,
      'The item bundled item must have a quantity.',
      ...withOwnId(''),
    ),
    quantity: numberRules('bundled_items/*/quantity', 'bundled item quantity', [1, 99], withOwnId),
  },
  deposit: {
    notObject: wrongType('not_object', 'deposit', 'deposit', { deposit: '100' }),
    valueRequired: rule(
      'required',
      `${DETAILS}/deposit/value`,
      'The item deposit must have a value.',
      set({ deposit: {} }),
    ),
    value: numberRules('deposit/value', 'deposit value', [1, ANY], (value) => [
      set({ deposit: { value } }),
    ]),
  },
} as const;

/** A bundle of the menu's first item, which exists whatever its id. */
function withOwnId(quantity: unknown): readonly Change[] {
  return [
    set(bundled('', quantity)),
    {
      op: 'copy',
      from: '/items/0/external_id',
      path: `${DETAILS}/bundled_items/0/item_external_id`,
    },
  ];
}
