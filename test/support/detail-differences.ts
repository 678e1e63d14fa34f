import type { ShownItem } from '../../src/delivery-apps/shown';
import { DETAIL_NAMES, type DetailName, type ItemDetails } from '../../src/menus/details';
import type { Item } from '../../src/menus/menu';
import type { Work } from './difference-work';

/** Each member that an app shows otherwise, or not at all. */
export function compareDetails(work: Work, sent: Item, shown: ShownItem, pointer: string): void {
  const isSold = work.sent.menus.some(({ soldItems }) => soldItems.has(sent.external_id));
  for (const name of DETAIL_NAMES) {
    // What the app gets, but nobody can read back.
    if (work.options.unreadDetails?.(name, isSold)) continue;
    const [wanted, there] = [said(sent.details, name), said(shown.details, name)];
    if (wanted === there) continue;
    work.differ(
      `the ${name} of ${pointer}: ${wanted} is shown as ${there}`,
      `detail_ignored ${pointer}/details/${name}`,
      ...(name === 'tax' ? [`tax_not_representable ${pointer}`] : []),
    );
  }
}

/** The same text for the same meaning; empty for nothing. */
function said(details: ItemDetails | null | undefined, name: DetailName): string {
  const { tax, alcohol, calories, deposit, bundled_items: bundle } = details ?? {};
  switch (name) {
    case 'tax':
      return tax ? text([Number(tax.rate), tax.included ?? true, number(tax.excise_rate)]) : '';
    case 'alcohol':
      return alcohol ? text([Number(alcohol.units), number(alcohol.by_volume)]) : '';
    case 'calories': {
      const [from, to] = [calories?.from || calories?.to, calories?.to || calories?.from];
      return from ? text([Number(from), Number(to)]) : '';
    }
    case 'deposit':
      return deposit ? text(Number(deposit.value)) : '';
    case 'bundled_items':
      return bundle ? text(bundle.map((one) => [one.item_external_id, Number(one.quantity)])) : '';
    case 'tax_labels':
    case 'serves_alone':
    case 'allergens':
    case 'diets':
    case 'barcode': {
      const value = details?.[name];
      return value === null || value === undefined || value.toString() === '' ? '' : text(value);
    }
  }
}

function number(digits: string | null | undefined): number | null {
  return digits ? Number(digits) : null;
}

function text(value: unknown): string {
  return JSON.stringify(value);
}
