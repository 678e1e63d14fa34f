import { asciiLower } from '../../platform/text/ascii-case';
import type { BundledItem, ItemDetails } from '../../menus/details';
import { statedOnly } from '../item-details';
import {
  countDigits,
  type Fields,
  fieldsOf,
  objectsIn,
  optionalText,
  priceDigits,
  textOf,
  textsIn,
} from '../read-payload';
import { CALORIE_UNITS } from './details';

/** The details of an item, as they would be sent. */
export function readDetails(
  item: Fields,
  toPrice: (value: unknown) => string,
): ItemDetails | undefined {
  const classifications = fieldsOf(fieldsOf(item['dish_info'])['classifications']);
  const nutrition = fieldsOf(item['nutritional_info']);
  const labels = fieldsOf(fieldsOf(item['tax_label_info'])['default_value'])['labels'];
  const diets = fieldsOf(classifications['dietary_label_info'])['labels'];
  const { can_serve_alone: servesAlone } = classifications;
  const { container_deposit: deposit } = fieldsOf(item['price_info']);
  return statedOnly<ItemDetails>({
    tax: readTax(fieldsOf(item['tax_info'])),
    tax_labels: labels === undefined ? undefined : textsIn(labels),
    alcohol: readAlcohol(classifications['alcoholic_items'], fieldsOf(item['beverage_info'])),
    serves_alone: typeof servesAlone === 'boolean' ? servesAlone : undefined,
    allergens: readWords(nutrition['allergens']),
    diets: readWords(diets),
    calories: readCalories(fieldsOf(fieldsOf(nutrition['calories'])['energy_interval'])),
    barcode: optionalText(fieldsOf(item['product_info'])['gtin']) ?? undefined,
    bundled_items: readBundle(item['bundled_items']),
    deposit: typeof deposit === 'number' ? { value: toPrice(deposit) } : undefined,
  });
}

function readTax(info: Fields): ItemDetails['tax'] {
  const included = priceDigits(info['vat_rate_percentage'], 100);
  const rate = included ?? priceDigits(info['tax_rate'], 100);
  if (rate === null) return undefined;
  const excise = priceDigits(info['mx_ieps_rate'], 100);
  return {
    rate,
    ...(included === null && { included: false }),
    ...(excise !== null && { excise_rate: excise }),
  };
}

function readAlcohol(
  units: unknown,
  { alcohol_by_volume: byVolume }: Fields,
): ItemDetails['alcohol'] {
  const known = countDigits(units);
  if (known === undefined) return undefined;
  const strength = countDigits(byVolume);
  return { units: known, ...(strength !== undefined && { by_volume: strength }) };
}

/** The app's words are ours in capitals. */
function readWords(list: unknown): readonly string[] | undefined {
  return list === undefined ? undefined : textsIn(list).map(asciiLower);
}

function readCalories({ lower, upper }: Fields): ItemDetails['calories'] {
  const [from, to] = [lower, upper].map((value) => priceDigits(value, 1 / CALORIE_UNITS));
  return from && to ? { from, to } : undefined;
}

function readBundle(list: unknown): readonly BundledItem[] | undefined {
  if (list === undefined) return undefined;
  return objectsIn(list).map(({ item_id: id, included_quantity: quantity }) => ({
    item_external_id: textOf(id),
    quantity: countDigits(quantity) ?? '',
  }));
}
