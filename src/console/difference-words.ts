import type { MenuChange } from '../menus/changes/menu-changes';
import { amount } from './amount';

/**
 * How an app shows one thing otherwise than it was sent, for who has never seen the menu form: `The name of the item
 * soup is “Soup of yesterday” instead of “Soup of the day”.` `before` is what was sent.
 */
export function differenceWords(change: MenuChange): string {
  const { op, kind, external_id: id, within, field, before, after } = change;
  const place = within === undefined ? '' : ` in ${within}`;
  const thing = `${kind.replaceAll('_', ' ')} ${id ?? ''}`.trim() + place;
  switch (op) {
    case 'added':
      return `The ${thing} was added in the app.`;
    case 'removed':
      return `The ${thing} is gone in the app.`;
    case 'changed': {
      if (field === 'order')
        return `The ${kind.replaceAll('_', ' ')} list${place} has another order.`;
      if (field === 'schedules') return `The hours of the ${thing} are others.`;
      const what = FIELD_WORDS[field ?? ''] ?? (field ?? 'value').replaceAll(/[._]/g, ' ');
      const isMoney = field?.startsWith('price.') ?? false;
      return `The ${what} of the ${thing} is ${valueWords(after, isMoney)} instead of ${valueWords(before, isMoney)}.`;
    }
  }
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  'price.value': 'price',
  'price.promotion_value': 'promotion price',
  'quantity.min_quantity': 'least number of choices',
  'quantity.max_quantity': 'greatest number of choices',
  'quantity.exactly': 'exact number of choices',
  'quantity.free_quantity': 'number of free choices',
  image_url: 'picture',
};

const LONGEST_VALUE = 120;

function valueWords(value: unknown, isMoney: boolean): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  if (typeof value === 'string') {
    if (isMoney && /^\d+$/.test(value)) return amount(value);
    return `“${cut(value)}”`;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'another';
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
