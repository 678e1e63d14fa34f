import { HINTS, oneOfHint } from '../../platform/validation/hints';
import { ALLERGENS, DIETS } from '../details';
import type { MenuProblemCode, MenuRule } from './rule';

type FieldHint = (code: MenuProblemCode, value: unknown, holder: unknown) => string | undefined;

/** What a field wants, by the last name in its place. A wrong type is hinted at too, an absent value is not. */
const BY_FIELD: Readonly<Record<string, FieldHint>> = {
  value: (code, value) =>
    code === 'not_positive' && isZero(value) ? HINTS.zeroPrices : onlyForms(code, HINTS.hundredths),
  promotion_value: (code, value) => (isZero(value) ? undefined : onlyForms(code, HINTS.hundredths)),
  free: () => HINTS.boolean,
  exactly: (code) => onlyForms(code, HINTS.count),
  free_quantity: (code) => onlyForms(code, HINTS.count),
  price: () => HINTS.price,
  min_quantity: () => HINTS.count,
  max_quantity: countHint,
  available: () => HINTS.boolean,
  unavailable_until: (code) => onlyForms(code, HINTS.until),
  visible_from: () => HINTS.day,
  visible_until: (code) => onlyForms(code, HINTS.day),
  start: () => HINTS.timeOfDay,
  end: () => HINTS.timeOfDay,
  day_of_week: () => HINTS.dayOfWeek,
};

const NO_FORM: ReadonlySet<MenuProblemCode> = new Set([
  'not_zero',
  'not_allowed',
  'above_maximum',
  'below_minimum',
]);

/** What may not be there, or not as much of it, is no matter of form. */
function onlyForms(code: MenuProblemCode, hint: string): string | undefined {
  return NO_FORM.has(code) ? undefined : hint;
}

/** Above the min is no form; but whether a max may equal it is a setting. */
function countHint(code: MenuProblemCode, value: unknown, holder: unknown): string | undefined {
  if (code !== 'not_above_minimum') return isZero(value) ? undefined : HINTS.count;
  const { min_quantity: min } = holder as { readonly min_quantity?: unknown };
  return Number(min) === Number(value) ? HINTS.equalQuantities : undefined;
}

/**
 * What to write instead of a value that breaks the rule; undefined if no form is wanted. `holder` is the object that
 * has the value.
 */
export function hintOf(
  { where, code }: MenuRule,
  value: unknown,
  holder: unknown,
): string | undefined {
  const [, member] = where.split(DETAILS);
  if (member !== undefined) return hintOfDetail(code, member);
  const field = where.slice(where.lastIndexOf('/') + 1);
  if (code === 'required') return REQUIRED[field];
  const ofField = BY_FIELD[field];
  if (ofField !== undefined) return ofField(code, value, holder);
  return code === 'not_string' && typeof value === 'number' ? HINTS.text : undefined;
}

const DETAILS = '/details/';

/** What the members of an item's details want. */
const BY_DETAIL: Readonly<Record<string, string>> = {
  'tax/rate': HINTS.percent,
  'tax/excise_rate': HINTS.percent,
  'tax/included': HINTS.boolean,
  'tax_labels/*': HINTS.taxLabel,
  'alcohol/units': HINTS.count,
  'alcohol/by_volume': HINTS.percent,
  serves_alone: HINTS.boolean,
  'allergens/*': oneOfHint(ALLERGENS),
  'diets/*': oneOfHint(DIETS),
  'calories/from': HINTS.count,
  'calories/to': HINTS.count,
  barcode: HINTS.barcode,
  'bundled_items/*/quantity': HINTS.count,
  'deposit/value': HINTS.hundredths,
};

/** The codes of rules about the form of a value. */
const FORM: ReadonlySet<MenuProblemCode> = new Set([
  'not_string',
  'not_boolean',
  'not_valid',
  'negative',
  'not_positive',
]);

function hintOfDetail(code: MenuProblemCode, member: string): string | undefined {
  return FORM.has(code) ? BY_DETAIL[member] : undefined;
}

/** Lists and objects whose absence has a remedy that their sentence does not name. */
const REQUIRED: Readonly<Record<string, string>> = {
  price: HINTS.price,
  data_options: HINTS.noOptions,
};

function isZero(value: unknown): boolean {
  return typeof value === 'string' && /^0{1,12}$/.test(value);
}
