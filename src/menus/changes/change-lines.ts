import { firstCodePoints } from '../../platform/text/clean-text';
import { quoteValue } from '../../platform/text/quote-value';
import type { ChangeKind, MenuChange } from './compare-lists';

/** Longest value in a line, in code points; a whole element may be megabytes. */
const LONGEST_VALUE = 200;

/** The kind of the parent of each kind of reference. */
const PARENTS: Readonly<Record<ChangeKind, string>> = {
  menu: 'menu',
  category: 'menu',
  item: 'category',
  modifier_group: 'item',
  option: 'modifier group',
};

/** One change as a line of text, such as `changed item I1 in category C1: price.value "1000" -> "1200"`. */
export function changeLine(change: MenuChange): string {
  const { op, kind, external_id: id, within, field } = change;
  const what = kind.replace('_', ' ');
  const where = within === undefined ? '' : ` in ${PARENTS[kind]} ${quoteValue(within)}`;
  const subject = id === null ? `list of ${what}s` : `${what} ${quoteValue(id)}${where}`;
  switch (op) {
    case 'added':
      return `added ${subject}${nameOf(change.after)}`;
    case 'removed':
      return `removed ${subject}${nameOf(change.before)}`;
    case 'changed':
      return `changed ${subject}: ${field} ${valueText(change.before)} -> ${valueText(change.after)}`;
  }
}

function nameOf(element: unknown): string {
  const name = typeof element === 'object' && element !== null && 'name' in element && element.name;
  return typeof name === 'string' ? `: ${valueText(name)}` : '';
}

function valueText(value: unknown): string {
  const text = quoteValue(JSON.stringify(value) ?? 'null');
  const shown = firstCodePoints(text, LONGEST_VALUE);
  return shown === text ? text : `${shown}…`;
}
