import { refuse } from './broken-rule';
import {
  readCount,
  readList,
  readOneOf,
  readOptionalFields,
  readString,
  type Fields,
} from './read-fields';

const DIETS = ['VEGAN', 'VEGETARIAN', 'GLUTEN_FREE'] as const;
const CALORIES = ['single_item', 'multiple_items', 'additive_item', 'single_serve'] as const;

/** Refuses details of an item that are of another form than the app's; returns the ids of what it bundles. */
export function checkDetails(item: Fields, where: string): readonly string[] {
  checkTax(readOptionalFields(item['tax_info'], `${where}.tax_info`), `${where}.tax_info`);
  checkTaxLabels(item['tax_label_info'], `${where}.tax_label_info`);
  const dish = readOptionalFields(item['dish_info'], `${where}.dish_info`);
  checkFacts({ ...item, classifications: dish['classifications'] }, where);
  return bundledIn(item['bundled_items'], `${where}.bundled_items`);
}

/** What the upload and the call about one item have alike, but for the place of the classifications. */
export function checkFacts(item: Fields, where: string): void {
  checkClassifications(item['classifications'], `${where}.classifications`);
  checkBeverage(item['beverage_info'], `${where}.beverage_info`);
  checkNutrition(item['nutritional_info'], `${where}.nutritional_info`);
  const { gtin } = readOptionalFields(item['product_info'], `${where}.product_info`);
  if (gtin !== undefined && !/^(\d{8}|\d{12,14})$/.test(readString(gtin, `${where}.gtin`))) {
    refuse(`Invalid Request: ${where}.product_info.gtin`);
  }
}

function checkTax(info: Fields, where: string): void {
  const { tax_rate: onTop, vat_rate_percentage: included, mx_ieps_rate: excise } = info;
  for (const [value, most] of [
    [onTop, 100],
    [included, 100],
    [excise, 200],
  ] as const) {
    if (value !== undefined && !isBetween(value, most)) refuse(`Invalid Tax: ${where}`);
  }
  if (onTop !== undefined && included !== undefined) {
    refuse(`Invalid Tax: ${where} has a rate on top and an included one`);
  }
}

function isBetween(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 0 && value <= most;
}

function checkTaxLabels(value: unknown, where: string): void {
  if (value === undefined) return;
  const { default_value: labelled } = readOptionalFields(value, where);
  const { labels, source } = readOptionalFields(labelled, `${where}.default_value`);
  const list = readList(labels, `${where}.labels`);
  if (list.length === 0) refuse(`Invalid Request: ${where}.labels`);
  for (const label of list) readString(label, `${where}.labels`);
  readOneOf(source, ['MANUAL'], `${where}.source`);
}

function checkClassifications(value: unknown, where: string): void {
  const {
    alcoholic_items: units,
    can_serve_alone: alone,
    dietary_label_info: diets,
  } = readOptionalFields(value, where);
  if (units !== undefined) readCount(units, `Invalid Request: ${where}.alcoholic_items`);
  if (alone !== undefined && typeof alone !== 'boolean') {
    refuse(`Invalid Request: ${where}.can_serve_alone`);
  }
  if (diets === undefined) return;
  const { labels } = readOptionalFields(diets, `${where}.dietary_label_info`);
  for (const label of readList(labels, `${where}.labels`)) {
    readOneOf(label, DIETS, `${where}.labels`);
  }
}

function checkBeverage(value: unknown, where: string): void {
  const { alcohol_by_volume: strength } = readOptionalFields(value, where);
  if (strength === undefined) return;
  const hundredths = readCount(strength, `Invalid Request: ${where}.alcohol_by_volume`);
  if (hundredths > 10_000) refuse(`Invalid Request: ${where}.alcohol_by_volume`);
}

function checkNutrition(value: unknown, where: string): void {
  const { allergens, calories } = readOptionalFields(value, where);
  if (allergens !== undefined) {
    for (const one of readList(allergens, `${where}.allergens`)) {
      if (!/^[A-Z_]+$/.test(readString(one, `${where}.allergens`))) {
        refuse(`Invalid Request: ${where}.allergens`);
      }
    }
  }
  if (calories === undefined) return;
  const { energy_interval: energy, display_type: type } = readOptionalFields(calories, where);
  const { lower, upper } = readOptionalFields(energy, `${where}.energy_interval`);
  const [least, most] = [lower, upper].map((number) =>
    readCount(number, `Invalid Request: ${where}.energy_interval`),
  );
  if ((least ?? 0) > (most ?? 0)) refuse(`Invalid Request: ${where}.energy_interval`);
  readOneOf(type, CALORIES, `${where}.display_type`);
}

function bundledIn(value: unknown, where: string): readonly string[] {
  if (value === undefined) return [];
  return readList(value, where).map((entry) => {
    const bundled = readOptionalFields(entry, where);
    readCount(bundled['core_price'], `Invalid Price Info: ${where}`);
    if (readCount(bundled['included_quantity'], `Invalid Request: ${where}`) < 1) {
      refuse(`Invalid Request: ${where}.included_quantity`);
    }
    return readString(bundled['item_id'], `${where}.item_id`);
  });
}
