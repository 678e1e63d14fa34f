import { findCountry } from '../domain/countries';

/** The formats that our schemas may name, beyond what a pattern can say. */
export const FORMATS = {
  'country-code': (text: string) => findCountry(text) !== undefined,
  'iso-date': isIsoDate,
  // The parser would drop blanks and line ends; what is stored and called must be what was checked.
  url: (text: string) => /^\S+$/.test(text) && URL.canParse(text),
} as const;

const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T([\d:.,]+)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const ISO_TIME = /^([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)([.,]\d{1,9})?)?$/;
const ISO_OFFSET = /^(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$/;

/** ISO 8601, extended form: a calendar date, alone or with a time of day, with or without an offset. */
function isIsoDate(text: string): boolean {
  const [, year, month, day, time, offset] = ISO_DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  if (time !== undefined && !ISO_TIME.test(time)) return false;
  if (offset !== undefined && !ISO_OFFSET.test(offset)) return false;
  return isCalendarDate(Number(year), Number(month), Number(day));
}

/** By its round trip: `Date` itself turns 30 February into 1 March. */
function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  // Not Date.UTC, for which the years 0–99 are 1900–1999.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
