import { isBlank } from '../../platform/text/blank';
import { isLonger } from '../../platform/text/is-longer';
import type { ListRules, TextRules } from './menu-sentences';
import type { GroupQuantityRules, PriceRules, QuantityRules } from './price-rules';
import type { MenuRule } from './rule';
import { isObject, report, type IdIndex, type Walk } from './walk';

/** An empty string counts as absent, as does null. */
export function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** The string if it is valid and not absent, for further checks. A required one must have a visible character. */
export function checkText(walk: Walk, value: unknown, rules: TextRules): string | undefined {
  if (typeof value === 'string' && value !== '' && !(rules.required && isBlank(value))) {
    if (!isLonger(value, rules.maxLength)) return value;
    report(walk, rules.tooLong);
  } else if (typeof value !== 'string' && !isAbsent(value)) {
    report(walk, rules.notString);
  } else if (rules.required !== undefined) {
    report(walk, rules.required);
  }
  return undefined;
}

/** Checks a mark that need not be there. */
export function checkBoolean(walk: Walk, value: unknown, rule: MenuRule): void {
  const isMissing = value === undefined || value === null;
  if (typeof value !== 'boolean' && !isMissing) report(walk, rule);
}

interface ReferenceRules extends TextRules {
  readonly unknown: MenuRule;
}

/** Returns the index of the referenced entity. */
export function checkReference(
  walk: Walk,
  value: unknown,
  rules: ReferenceRules,
  index: IdIndex,
): number | undefined {
  const id = checkText(walk, value, rules);
  if (id === undefined) return undefined;
  const found = index.get(id);
  if (found === undefined) report(walk, rules.unknown, id);
  return found;
}

/** The list, or an empty one if it is not a list; without `mayBeEmpty` an empty one counts as absent. */
export function checkList(
  walk: Walk,
  value: unknown,
  rules: ListRules,
  mayBeEmpty: boolean,
): readonly unknown[] {
  if (Array.isArray(value)) {
    if (value.length === 0 && !mayBeEmpty) report(walk, rules.required);
    return value;
  }
  report(walk, isAbsent(value) ? rules.required : rules.notArray);
  return NOTHING;
}

const NOTHING: readonly unknown[] = [];

/** Checks a price that is present; the caller checks whether it is required. */
export function checkPrice(walk: Walk, price: unknown, rules: PriceRules): void {
  if (!isObject(price)) return report(walk, rules.notObject);
  const { value, promotion_value: promotion, free } = price;
  if (free === true) return checkFreePrice(walk, value, promotion, rules);
  if (free !== false && !isAbsent(free)) report(walk, rules.freeNotBoolean);
  if (isAbsent(value)) report(walk, rules.valueRequired);
  else if (typeof value !== 'string') report(walk, rules.valueNotString);
  else if (walk.acceptZeroPrices) {
    if (digits(value) < 0) report(walk, rules.valueNegative);
  } else if (digits(value) < 1) report(walk, rules.valueNotPositive);

  if (isAbsent(promotion)) return;
  if (typeof promotion !== 'string') report(walk, rules.promotionNotString);
  else if (digits(promotion) < 1) report(walk, rules.promotionNotPositive);
}

function checkFreePrice(walk: Walk, value: unknown, promotion: unknown, rules: PriceRules): void {
  if (!isAbsent(value)) {
    if (typeof value !== 'string') report(walk, rules.valueNotString);
    else if (digits(value) !== 0) report(walk, rules.valueNotZero);
  }
  if (!isAbsent(promotion)) report(walk, rules.promotionNotAllowed);
}

/**
 * Checks a quantity that is present; a group's missing one is `{}`: both its bounds are missing. An exact one stands
 * in place of both. Returns the max, or a number below 0 for a bad one.
 */
export function checkQuantity(walk: Walk, quantity: unknown, rules: QuantityRules): number {
  if (!isObject(quantity)) return fail(walk, rules.notObject);
  const { min_quantity: least, max_quantity: most, exactly } = quantity;
  if (!isAbsent(exactly)) {
    if (typeof exactly !== 'string') return fail(walk, rules.exactNotString);
    const exact = digits(exactly);
    if (exact < 1) return fail(walk, rules.exactNotPositive);
    if (!isAbsent(least) || !isAbsent(most)) report(walk, rules.exactNotAlone);
    return exact;
  }

  let min = NOT_DIGITS;
  if (isAbsent(least)) report(walk, rules.minRequired);
  else if (typeof least !== 'string') report(walk, rules.minNotString);
  else if ((min = digits(least)) < 0) report(walk, rules.minNegative);

  if (isAbsent(most)) return fail(walk, rules.maxRequired);
  if (typeof most !== 'string') return fail(walk, rules.maxNotString);
  const max = digits(most);
  if (max < 1) return fail(walk, rules.maxNotPositive);
  // A bad min is NOT_DIGITS, below every max: it has been reported and must not cause a second message.
  if (max < min || (max === min && !walk.acceptEqualQuantities)) report(walk, rules.maxNotAboveMin);
  return max;
}

/** The same for the quantity of a group, of which some units may be free. */
export function checkGroupQuantity(walk: Walk, quantity: unknown, rules: GroupQuantityRules): void {
  const max = checkQuantity(walk, quantity, rules);
  const free = isObject(quantity) ? quantity['free_quantity'] : undefined;
  if (isAbsent(free)) return;
  if (typeof free !== 'string') return report(walk, rules.freeNotString);
  const units = digits(free);
  if (units < 0) report(walk, rules.freeNegative);
  else if (max >= 0 && units > max) report(walk, rules.freeAboveMax);
}

function fail(walk: Walk, rule: MenuRule): number {
  report(walk, rule);
  return NOT_DIGITS;
}

const NOT_DIGITS = -1;

/**
 * The number for 1–12 digits, otherwise -1. Without a regex, which is four times slower, because this runs twice per
 * option.
 */
export function digits(text: string): number {
  if (text.length === 0 || text.length > 12) return NOT_DIGITS;
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return NOT_DIGITS;
    number = number * 10 + digit;
  }
  return number;
}
