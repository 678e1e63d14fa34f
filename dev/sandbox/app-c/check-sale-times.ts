import { fail, type Json, objects } from './menu-checks';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** An item's `sold_info_intl`: a day may be in one entry only. */
export function checkSaleTimes(entries: readonly Json[], id: string): void {
  for (const entry of entries) checkEntry(entry, id);
  const days = entries.flatMap((entry): readonly unknown[] => entry['day'] as readonly unknown[]);
  if (new Set(days).size < days.length) fail('sold_info_intl day is repeated', id);
}

function checkEntry(entry: Json, id: string): void {
  for (const { begin, end } of objects(entry['time'], 'sold_info_intl time', id)) {
    if (!isTime(begin) || !isTime(end) || begin >= end) fail('sold_info_intl time is invalid', id);
  }
  if (!isListOf(entry['day'], isDay)) fail('sold_info_intl day is invalid', id);
  if (!isListOf(entry['specialDay'] ?? [], isDate))
    fail('sold_info_intl specialDay is invalid', id);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && DATE.test(value);
}

function isDay(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 7;
}

/** A list without repeats. */
function isListOf(value: unknown, isOne: (element: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  const list: readonly unknown[] = value;
  return list.every(isOne) && new Set(list).size === list.length;
}
