import type { DetailName, ItemDetails } from '../../menus/details';
import type { Item } from '../../menus/menu';
import type { Indexed } from '../menu-index';
import { digitsToInteger } from '../prices';
import { countDigits, type Fields, objectsIn } from '../read-payload';
import type { LossBook } from '../losses';
import { TAX } from './rules';
import type { WireItem } from './wire';

/** Where the app has taxes, and in which form. */
const TAXES_OF_LOCALE = [
  ['_mx', toMexicanTaxes],
  ['_jp', toJapaneseTax],
] as const;

type WireDetails = Pick<WireItem, 'has_wine' | 'tax_info_list' | 'tax_rate'>;

/** What the app has a place for, sold item or option; a tax that it cannot have is a loss. */
export function toWireDetails(
  { entity: { details }, ref }: Indexed<Item>,
  locale: string,
  losses: LossBook,
): WireDetails {
  if (!details) return NO_DETAILS;
  const { tax, alcohol } = details;
  const toTaxes = TAXES_OF_LOCALE.find(([ending]) => locale.endsWith(ending))?.[1];
  const taxes = tax ? (toTaxes?.(tax) ?? NO_TAXES) : undefined;
  if (taxes && !taxes.isWhole) losses.add('tax_not_representable', ref);
  return { ...(alcohol && { has_wine: hasAlcohol(details) ? 1 : 0 }), ...taxes?.wire };
}

const NO_DETAILS: WireDetails = {};
const NO_TAXES: Taxes = { wire: {}, isWhole: false };

interface Taxes {
  readonly wire: Pick<WireItem, 'tax_info_list' | 'tax_rate'>;
  /** Whether that is all of what was sent. */
  readonly isWhole: boolean;
}

type Tax = NonNullable<ItemDetails['tax']>;

/** Taxes are included in the price there; any other rate of the first one fails the item. */
function toMexicanTaxes({ rate, included, excise_rate: sentExcise }: Tax): Taxes {
  const iva = digitsToInteger(rate);
  if (included === false || !TAX.ivaRates.has(iva)) return NO_TAXES;
  const excise = sentExcise ? digitsToInteger(sentExcise) : undefined;
  const takesExcise = excise !== undefined && excise <= TAX.mostExcise;
  const list = [
    { type: TAX.iva, rate: iva },
    ...(takesExcise ? [{ type: TAX.ieps, rate: excise }] : []),
  ];
  return { wire: { tax_info_list: list }, isWhole: excise === undefined || takesExcise };
}

function toJapaneseTax({ rate, included, excise_rate: excise }: Tax): Taxes {
  return { wire: { tax_rate: digitsToInteger(rate) }, isWhole: included !== false && !excise };
}

/** The app lets nobody promote it. */
export function hasAlcohol(details: ItemDetails | null | undefined): boolean {
  return digitsToInteger(details?.alcohol?.units || '0') > 0;
}

/** A tax that it cannot have is another loss. */
export function showsDetail(name: DetailName): boolean {
  return name === 'tax' || name === 'alcohol';
}

/** Its taxes alone: the app's list of items has no word about alcohol. */
export function readDetails(item: Fields): ItemDetails | undefined {
  const japanese = countDigits(item['tax_rate']);
  if (japanese !== undefined) return { tax: { rate: japanese } };
  const rates = new Map(
    objectsIn(item['tax_info_list']).map(({ type, rate }) => [type, countDigits(rate)]),
  );
  const rate = rates.get(TAX.iva);
  if (rate === undefined) return undefined;
  const excise = rates.get(TAX.ieps);
  return { tax: { rate, ...(excise !== undefined && { excise_rate: excise }) } };
}
