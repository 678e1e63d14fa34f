const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `06 Nov 1994 08:49:37 GMT`, and the obsolete `06-Nov-94 08:49:37 GMT`; the weekday is redundant. */
const HTTP_DATE =
  /^[A-Za-z]{3,9}, (\d{2})[ -]([A-Z][a-z]{2})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** C's asctime, the third form of RFC 9110 §5.6.7: `Sun Nov  6 08:49:37 1994`. */
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

/**
 * How many ms a `Retry-After` field asks to wait, 0 for a date in the past; undefined if it is neither seconds nor an
 * HTTP-date. Not capped here. `now` is ms since the epoch.
 */
export function parseRetryAfter(value: string, now: number): number | undefined {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = parseHttpDate(text, now);
  return at === undefined ? undefined : Math.max(0, at - now);
}

// Not Date.parse, which reads asctime as local time and accepts text that is not an HTTP-date.
function parseHttpDate(text: string, now: number): number | undefined {
  const [, day, month, year, ...clock] = HTTP_DATE.exec(text) ?? [];
  if (day !== undefined) return toTime(day, month, fullYear(year ?? '', now), clock);
  const [, name, dayOfMonth, hour, minute, second, yearOfDate] = ASCTIME.exec(text) ?? [];
  return toTime(dayOfMonth, name, Number(yearOfDate), [hour, minute, second]);
}

function toTime(
  day: string | undefined,
  month: string | undefined,
  year: number,
  clock: readonly (string | undefined)[],
): number | undefined {
  const monthIndex = MONTHS.indexOf(month ?? '');
  const [hour, minute, second] = clock.map(Number);
  const at = Date.UTC(year, monthIndex, Number(day), hour, minute, second);
  return monthIndex < 0 || Number.isNaN(at) ? undefined : at;
}

/** Two digits mean the year that is nearest, at most 50 years ahead (RFC 9110 §5.6.7). */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - Number(digits)) % 100);
}
