import type { MenuRule } from './rule';
import { checkBoolean, checkReference, digits, isAbsent } from './check-values';
import { DETAIL_RULES } from './detail-rules';
import type { CountRule, NumberRules, WordsRules } from './detail-sentences';
import { isObject, report, type Walk } from './walk';

type Fields = Readonly<Record<string, unknown>>;

/** Checks the details of the item `walk.i`, which need not be there. */
export function checkDetails(walk: Walk, details: unknown): void {
  const rules = DETAIL_RULES;
  if (details === undefined || details === null) return;
  if (!isObject(details)) return report(walk, rules.notObject);
  inObject(walk, details['tax'], rules.tax, checkTax);
  checkWords(walk, details['tax_labels'], rules.taxLabels);
  inObject(walk, details['alcohol'], rules.alcohol, checkAlcohol);
  checkBoolean(walk, details['serves_alone'], rules.servesAloneNotBoolean);
  checkWords(walk, details['allergens'], rules.allergens);
  checkWords(walk, details['diets'], rules.diets);
  inObject(walk, details['calories'], rules.calories, checkCalories);
  checkBarcode(walk, details['barcode']);
  checkBundle(walk, details['bundled_items']);
  inObject(walk, details['deposit'], rules.deposit, checkDeposit);
}

/** Checks the members of an object that need not be there. */
function inObject(
  walk: Walk,
  value: unknown,
  { notObject }: { readonly notObject: MenuRule },
  check: (walk: Walk, members: Fields) => void,
): void {
  if (value === undefined || value === null) return;
  if (isObject(value)) check(walk, value);
  else report(walk, notObject);
}

function checkTax(walk: Walk, { rate, included, excise_rate: excise }: Fields): void {
  const rules = DETAIL_RULES.tax;
  checkRequiredNumber(walk, rate, rules.rateRequired, rules.rate);
  checkBoolean(walk, included, rules.includedNotBoolean);
  checkNumber(walk, excise, rules.excise);
}

function checkAlcohol(walk: Walk, { units, by_volume: byVolume }: Fields): void {
  const rules = DETAIL_RULES.alcohol;
  checkRequiredNumber(walk, units, rules.unitsRequired, rules.units);
  checkNumber(walk, byVolume, rules.byVolume);
}

function checkCalories(walk: Walk, { from, to }: Fields): void {
  const rules = DETAIL_RULES.calories;
  const least = checkNumber(walk, from, rules.from);
  const most = checkNumber(walk, to, rules.to);
  if (least !== undefined && most !== undefined && most < least) report(walk, rules.toBelowFrom);
}

function checkDeposit(walk: Walk, { value }: Fields): void {
  const rules = DETAIL_RULES.deposit;
  checkRequiredNumber(walk, value, rules.valueRequired, rules.value);
}

function checkBarcode(walk: Walk, code: unknown): void {
  const rules = DETAIL_RULES.barcode;
  if (isAbsent(code)) return;
  if (typeof code !== 'string') report(walk, rules.notString);
  else if (!rules.isValid(code)) report(walk, rules.notValid, code);
}

function checkBundle(walk: Walk, bundle: unknown): void {
  const rules = DETAIL_RULES.bundledItems;
  const items = listIn(walk, bundle, rules);
  if (items === undefined) return;
  if (!isCount(items, rules.wrongCount)) return report(walk, rules.wrongCount);
  for (walk.j = 0; walk.j < items.length; walk.j++) checkBundledItem(walk, items[walk.j]);
}

function checkBundledItem(walk: Walk, bundled: unknown): void {
  const rules = DETAIL_RULES.bundledItems;
  if (!isObject(bundled)) return report(walk, rules.notObject);
  checkReference(walk, bundled['item_external_id'], rules.id, walk.items);
  checkRequiredNumber(walk, bundled['quantity'], rules.quantityRequired, rules.quantity);
}

function checkWords(walk: Walk, value: unknown, rules: WordsRules): void {
  const words = listIn(walk, value, rules);
  if (words === undefined) return;
  const { wrongCount } = rules;
  if (wrongCount && !isCount(words, wrongCount)) return report(walk, wrongCount);
  const seen = new Set<string>();
  for (walk.j = 0; walk.j < words.length; walk.j++) {
    const word = words[walk.j];
    if (typeof word !== 'string' || !rules.isValid(word)) {
      report(walk, rules.notValid, typeof word === 'object' && word ? 'an object' : String(word));
    } else if (seen.size === seen.add(word).size) report(walk, rules.repeated, word);
  }
}

function isCount({ length }: readonly unknown[], { most }: CountRule): boolean {
  return length >= 1 && length <= most;
}

function listIn(
  walk: Walk,
  value: unknown,
  { notArray }: { readonly notArray: MenuRule },
): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value;
  report(walk, notArray);
  return undefined;
}

function checkRequiredNumber(
  walk: Walk,
  value: unknown,
  required: MenuRule,
  rules: NumberRules,
): void {
  if (isAbsent(value)) report(walk, required);
  else checkNumber(walk, value, rules);
}

/** The number if it is there and in its bounds. */
function checkNumber(walk: Walk, value: unknown, rules: NumberRules): number | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== 'string') {
    report(walk, rules.notString);
    return undefined;
  }
  const number = digits(value);
  if (number >= rules.least && number <= rules.most) return number;
  report(walk, number < rules.least || !rules.tooHigh ? rules.tooLow : rules.tooHigh);
  return undefined;
}
