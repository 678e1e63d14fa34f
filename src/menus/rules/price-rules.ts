import { object } from './menu-sentences';
import { put, rule, type Change, type MenuRule } from './rule';

export interface PriceRules {
  readonly notObject: MenuRule;
  readonly freeNotBoolean: MenuRule;
  readonly valueRequired: MenuRule;
  readonly valueNotString: MenuRule;
  readonly valueNotPositive: MenuRule;
  /** In place of `valueNotPositive` where a price may be "0". */
  readonly valueNegative: MenuRule;
  /** In place of both where the price is free. */
  readonly valueNotZero: MenuRule;
  readonly promotionNotString: MenuRule;
  readonly promotionNotPositive: MenuRule;
  /** In place of both where the price is free. */
  readonly promotionNotAllowed: MenuRule;
}

export interface QuantityRules {
  readonly notObject: MenuRule;
  readonly exactNotString: MenuRule;
  readonly exactNotPositive: MenuRule;
  readonly exactNotAlone: MenuRule;
  readonly minRequired: MenuRule;
  readonly minNotString: MenuRule;
  readonly minNegative: MenuRule;
  readonly maxRequired: MenuRule;
  readonly maxNotString: MenuRule;
  readonly maxNotPositive: MenuRule;
  readonly maxNotAboveMin: MenuRule;
}

export interface GroupQuantityRules extends QuantityRules {
  readonly freeNotString: MenuRule;
  readonly freeNegative: MenuRule;
  readonly freeAboveMax: MenuRule;
}

export function priceRules(subject: string, where: string): PriceRules {
  const value = `${where}/value`;
  const promotion = `${where}/promotion_value`;
  const promoted = (promotion_value: unknown): Change =>
    put(where, { value: '1030', promotion_value });
  const of = `${subject} price value`;
  const promotionOf = `${subject} promotion price value`;
  return {
    notObject: object(`${subject} price`, where),
    freeNotBoolean: rule(
      'not_boolean',
      `${where}/free`,
      `${subject} price free mark must be a boolean.`,
      put(where, { value: '1030', free: 'no' }),
    ),
    valueRequired: rule('required', value, `${subject} must have a price value.`, put(where, {})),
    valueNotString: rule(
      'not_string',
      value,
      `${of} must be a string.`,
      put(where, { value: 1030 }),
    ),
    valueNotPositive: rule(
      'not_positive',
      value,
      `${of} must be greater than 0.`,
      put(where, { value: '0' }),
    ),
    valueNegative: {
      ...rule('negative', value, `${of} must not be less than 0.`, put(where, { value: '-1' })),
      onlyWith: { zeroPrices: 'accept' },
    },
    valueNotZero: rule(
      'not_zero',
      value,
      `${of} must be 0 when the price is free.`,
      put(where, { value: '1030', free: true }),
    ),
    promotionNotString: rule(
      'not_string',
      promotion,
      `${promotionOf} must be a string.`,
      promoted(990),
    ),
    promotionNotPositive: rule(
      'not_positive',
      promotion,
      `${promotionOf} must be greater than 0.`,
      promoted('-1'),
    ),
    promotionNotAllowed: rule(
      'not_allowed',
      promotion,
      `${promotionOf} must not be sent when the price is free.`,
      put(where, { promotion_value: '990', free: true }),
    ),
  };
}

export function quantityRules(subject: string, where: string): QuantityRules {
  const min = `${where}/min_quantity`;
  const max = `${where}/max_quantity`;
  const exact = `${where}/exactly`;
  const of = (min_quantity: unknown, max_quantity: unknown): Change =>
    put(where, { min_quantity, max_quantity });
  return {
    notObject: object(`${subject} quantity`, where),
    exactNotString: rule(
      'not_string',
      exact,
      `${subject} exact quantity value must be a string.`,
      put(where, { exactly: 1 }),
    ),
    exactNotPositive: rule(
      'not_positive',
      exact,
      `${subject} exact quantity value must be greater than 0.`,
      put(where, { exactly: '0' }),
    ),
    exactNotAlone: rule(
      'not_allowed',
      exact,
      `${subject} must have either an exact quantity value or min and max quantity values.`,
      put(where, { exactly: '1', max_quantity: '2' }),
    ),
    minRequired: rule(
      'required',
      min,
      `${subject} must have a min quantity value.`,
      put(where, { max_quantity: '2' }),
    ),
    minNotString: rule(
      'not_string',
      min,
      `${subject} min quantity value must be a string.`,
      of(0, '2'),
    ),
    minNegative: rule(
      'negative',
      min,
      `${subject} min quantity value must not be less than 0.`,
      of('-1', '2'),
    ),
    maxRequired: rule(
      'required',
      max,
      `${subject} must have a max quantity value.`,
      put(where, { min_quantity: '0' }),
    ),
    maxNotString: rule(
      'not_string',
      max,
      `${subject} max quantity value must be a string.`,
      of('0', 2),
    ),
    maxNotPositive: rule(
      'not_positive',
      max,
      `${subject} max quantity value must be greater than 0.`,
      of('0', '0'),
    ),
    maxNotAboveMin: rule(
      'not_above_minimum',
      max,
      `${subject} max quantity value must be greater than the min quantity value.`,
      of('2', '1'),
    ),
  };
}

/** The rules of a quantity that says how many units are free. */
export function groupQuantityRules(subject: string, where: string): GroupQuantityRules {
  const free = `${where}/free_quantity`;
  const of = `${subject} free quantity value`;
  const broken = (free_quantity: unknown): Change =>
    put(where, { min_quantity: '0', max_quantity: '2', free_quantity });
  return {
    ...quantityRules(subject, where),
    freeNotString: rule('not_string', free, `${of} must be a string.`, broken(1)),
    freeNegative: rule('negative', free, `${of} must not be less than 0.`, broken('-1')),
    freeAboveMax: rule(
      'above_maximum',
      free,
      `${of} must not be greater than the max quantity value.`,
      broken('3'),
    ),
  };
}
