import addFormats from 'ajv-formats';
import { findCountry } from './countries';
import { parseInstant } from '../text/instant';
import { isTimeZone } from '../text/time-zone';
import { parseUrl } from '../text/parse-url';

/** Formats of our schemas, beyond what a pattern can express. */
export const FORMATS = {
  'country-code': (text: string) => findCountry(text) !== undefined,
  date: isCalendarDate,
  'iso-date': isIsoDate,
  'time-zone': isTimeZone,
  instant: (text: string) => parseInstant(text) !== undefined,
  // The parser would drop blanks and line ends, and the URL that is stored and called must be the one that was
  // checked.
  url: (text: string) => /^\S+$/.test(text) && parseUrl(text) !== null,
} as const;

/** A calendar date, 30 February refused. */
const DATE = addFormats.get('date');

const ISO_DATE = /^([\d-]+)(?:T([\d:.,]+)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;
const ISO_TIME = /^([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)([.,]\d{1,9})?)?$/;
const ISO_OFFSET = /^(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$/;

/**
 * ISO 8601, extended form: a calendar date, alone or with a time of day, with or without an offset. The library's
 * `iso-date-time` requires seconds, which point-of-sale systems often omit.
 */
function isIsoDate(text: string): boolean {
  const [, date, time, offset] = ISO_DATE.exec(text) ?? [];
  if (date === undefined || !isCalendarDate(date)) return false;
  if (time !== undefined && !ISO_TIME.test(time)) return false;
  return offset === undefined || ISO_OFFSET.test(offset);
}

/** `yyyy-MM-dd`, a day of the calendar. */
export function isCalendarDate(text: string): boolean {
  const validate: unknown =
    typeof DATE === 'object' && 'validate' in DATE ? DATE.validate : undefined;
  if (typeof validate !== 'function') throw new Error('ajv-formats has no check for dates');
  return validate(text) === true;
}
