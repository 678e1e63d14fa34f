import type { Entry } from './read-menu';
import type { Report } from './violation';

const LENGTHS = { sku: [1, 500], name: [1, 1_000], description: [0, 2_000] } as const;
/** Pictures and flags; the signs for copyright and trade marks are ordinary text. */
const EMOJI = /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{FE0F}\u{20E3}]/u;

/** Checks of a single product or topping. */
export function checkEntry(entry: Entry, report: Report): void {
  const { skus, type, category, price, maxLimit, imageUrl } = entry;
  const texts = [
    ['sku', entry.sku],
    ['name', entry.name],
    ['description', entry.description],
    ['sku', category.id],
    ['name', category.name],
  ] as const;
  for (const [field, text] of texts) {
    const [least, most] = LENGTHS[field];
    const length = Array.from(text).length;
    if (length < least || length > most) {
      report('text_fields_length_complies', skus, `A ${field} has ${length} characters.`);
    }
    if (EMOJI.test(text)) report('text_format_complies', skus, `A ${field} has an emoji.`);
  }
  const isTopping = type === 'TOPPING';
  if ([price, category.minQty, category.maxQty, maxLimit ?? 0].some((number) => number < 0)) {
    report('positive_numbers_complies', skus, 'A number is negative.');
  } else if (isTopping && (category.maxQty === 0 || maxLimit === 0)) {
    report('positive_numbers_complies', skus, 'A group permits nothing.');
  }
  // A guest must be able to pay something: for the product, or for one of its toppings.
  if (!isTopping && price === 0 && entry.children.every((topping) => topping.price === 0)) {
    report('zero_price_complies', skus, 'A product costs nothing.');
  }
  if (isTopping ? category.minQty > category.maxQty : category.minQty !== 0) {
    report('min_permitted_complies', skus, `A category wants ${category.minQty} at least.`);
  }
  if (imageUrl !== undefined && !/^https:\/\/[!-.0-~][!-~]*$/.test(imageUrl)) {
    report('image_url_complies', skus, 'An image is not served over https.');
  }
}
