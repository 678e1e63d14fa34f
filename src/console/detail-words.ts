import type { ItemDetails } from '../menus/details';
import { amount } from './amount';

type Words<Name extends keyof ItemDetails> = (
  value: NonNullable<ItemDetails[Name]>,
) => string | undefined;

/** What people read of each member, in the order of the page. */
const WORDS: { readonly [Name in keyof ItemDetails]-?: Words<Name> } = {
  tax: ({ rate, included, excise_rate: excise }) =>
    [
      `tax ${percent(rate)}${included === false ? ' on top' : ''}`,
      ...(excise ? [`excise ${percent(excise)}`] : []),
    ].join(', '),
  tax_labels: (labels) => `tax labels ${labels.join(', ')}`,
  alcohol: ({ units, by_volume: volume }) => {
    if (Number(units) === 0) return 'no alcohol';
    const words = Number(units) === 1 ? '1 unit of alcohol' : `${Number(units)} units of alcohol`;
    return volume ? `${words}, ${percent(volume)}` : words;
  },
  serves_alone: (alone) => (alone ? 'a meal by itself' : 'no meal by itself'),
  allergens: (allergens) => listed('allergens', allergens.map(inWords)),
  diets: (diets) => listed('diets', diets.map(inWords)),
  calories: ({ from, to }) => {
    const ends = [...new Set([from, to].filter((end) => end !== undefined && end !== null))];
    return ends.length > 0 ? `${ends.map(Number).join(' to ')} kcal` : undefined;
  },
  barcode: (code) => `barcode ${code}`,
  bundled_items: (bundled) =>
    listed(
      'made of',
      bundled.map(({ item_external_id: id, quantity }) => `${Number(quantity)} × ${id}`),
    ),
  deposit: ({ value }) => `deposit ${amount(value)}`,
};

/** The details of an item as a person reads them, one clause a member. */
export function detailWords(details: ItemDetails | undefined): readonly string[] {
  if (!details) return [];
  return (Object.keys(WORDS) as (keyof ItemDetails)[]).flatMap((name) => {
    const value = details[name];
    const words = WORDS[name] as (given: unknown) => string | undefined;
    return value === undefined || value === null ? [] : (words(value) ?? []);
  });
}

function listed(what: string, values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : `${what} ${values.join(', ')}`;
}

/** tree_nuts: tree nuts */
function inWords(word: string): string {
  return word.replaceAll('_', ' ');
}

/** Digits with two implied decimals, as hundredths of a percent: 16 %, 4.5 %. */
function percent(digits: string): string {
  return `${Number(digits) / 100} %`;
}
