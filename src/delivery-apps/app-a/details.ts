import { asciiUpper } from '../../platform/text/ascii-case';
import type { DetailName, ItemDetails } from '../../menus/details';
import type { Item } from '../../menus/menu';
import type { Indexed } from '../menu-index';
import { digitsToInteger } from '../prices';
import { statedOnly } from '../item-details';
import type { MenuTranslation } from './menu-translation';
import type { WireBundledItem, WireItem } from './wire';

/** The diets that the app knows; it has no words for others. */
export const KNOWN_DIETS: ReadonlySet<string> = new Set(['vegan', 'vegetarian', 'gluten_free']);
/** The app counts energy in hundred-thousandths of a kilocalorie. */
export const CALORIE_UNITS = 100_000;
/** Excise exists on the wire for Mexico only. */
const HAS_EXCISE = '_mx';

type WireDetails = Pick<
  WireItem,
  | 'tax_info'
  | 'tax_label_info'
  | 'dish_info'
  | 'beverage_info'
  | 'nutritional_info'
  | 'product_info'
  | 'bundled_items'
>;

/** What is known of an item, in the places that the app has for it. */
export function toWireDetails(item: Indexed<Item>, translation: MenuTranslation): WireDetails {
  const { details } = item.entity;
  if (!details) return NO_DETAILS;
  const { tax_labels: labels, alcohol, barcode } = details;
  const classifications = toClassifications(details);
  const nutrition = toNutrition(details);
  const bundle = toBundle(details, translation);
  return {
    tax_info: toTax(item, details, translation),
    ...(labels && { tax_label_info: { default_value: { labels, source: 'MANUAL' } } }),
    ...(classifications && { dish_info: { classifications } }),
    ...(alcohol?.by_volume && {
      beverage_info: { alcohol_by_volume: digitsToInteger(alcohol.by_volume) },
    }),
    ...(nutrition && { nutritional_info: nutrition }),
    ...(barcode && { product_info: { gtin: barcode } }),
    ...(bundle.length > 0 && { bundled_items: bundle }),
  };
}

const NO_DETAILS: WireDetails = { tax_info: {} };

function toTax(
  { ref }: Indexed<Item>,
  { tax }: ItemDetails,
  { locale, losses }: MenuTranslation,
): WireItem['tax_info'] {
  if (!tax) return {};
  const rate = toPercent(tax.rate);
  const excise = tax.excise_rate ? toPercent(tax.excise_rate) : undefined;
  const takesExcise = locale.endsWith(HAS_EXCISE);
  if (excise !== undefined && !takesExcise) losses.add('tax_not_representable', ref);
  return {
    ...(tax.included === false ? { tax_rate: rate } : { vat_rate_percentage: rate }),
    ...(excise !== undefined && takesExcise && { mx_ieps_rate: excise }),
  };
}

/** Hundredths of a percent as a percentage, whose nearest double has at most two places in JSON. */
function toPercent(rate: string): number {
  return digitsToInteger(rate) / 100;
}

function toClassifications({ alcohol, serves_alone: servesAlone, diets }: ItemDetails) {
  return statedOnly<NonNullable<WireItem['dish_info']>['classifications']>({
    alcoholic_items: alcohol ? digitsToInteger(alcohol.units) : undefined,
    can_serve_alone: servesAlone ?? undefined,
    dietary_label_info: diets
      ? { labels: diets.filter((diet) => KNOWN_DIETS.has(diet)).map(asciiUpper) }
      : undefined,
  });
}

function toNutrition({ allergens, calories }: ItemDetails): WireItem['nutritional_info'] {
  return statedOnly<NonNullable<WireItem['nutritional_info']>>({
    allergens: allergens ? allergens.map(asciiUpper) : undefined,
    calories: calories ? toCalories(calories) : undefined,
  });
}

/** One of the two numbers stands for both. */
function toCalories({ from, to }: NonNullable<ItemDetails['calories']>) {
  const [least, most] = [from || to, to || from];
  if (!least || !most) return undefined;
  const lower = digitsToInteger(least) * CALORIE_UNITS;
  const upper = digitsToInteger(most) * CALORIE_UNITS;
  const type = lower === upper ? ('single_item' as const) : ('multiple_items' as const);
  return { energy_interval: { lower, upper }, display_type: type };
}

function toBundle(
  { bundled_items: bundle }: ItemDetails,
  { index, used, toPrice }: MenuTranslation,
): readonly WireBundledItem[] {
  return (bundle ?? []).flatMap(({ item_external_id: id, quantity }) => {
    const bundled = index.items.get(id);
    if (!bundled || !used.items.has(id)) return [];
    return [
      {
        item_id: id,
        core_price: toPrice(bundled.entity.price, bundled.ref),
        included_quantity: digitsToInteger(quantity),
      },
    ];
  });
}

/** Whether the app shows all of a member: diets that it has a word for, and a bundle of items that it has. */
export function showsDetail(
  name: DetailName,
  { entity }: Indexed<Item>,
  { used }: Pick<MenuTranslation, 'used'>,
): boolean {
  const { diets, bundled_items: bundle } = entity.details ?? {};
  if (name === 'diets') return (diets ?? []).every((diet) => KNOWN_DIETS.has(diet));
  if (name !== 'bundled_items') return true;
  return (bundle ?? []).every(({ item_external_id: id }) => used.items.has(id));
}
