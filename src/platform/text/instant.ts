const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)$/;

/** The moment of an ISO 8601 date-time with offset; undefined for any other text. */
export function parseInstant(text: string): Date | undefined {
  const [, date, minutes, seconds = '00', fraction = '0', offset] = INSTANT.exec(text) ?? [];
  if (date === undefined || minutes === undefined || offset === undefined) return undefined;
  const zone =
    offset === 'Z' ? offset : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  const instant = new Date(`${date}T${minutes}:${seconds}.${ms}${zone}`);
  // Date itself would accept 30 February as 2 March.
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(instant.getTime()) || Number.isNaN(day.getTime())) return undefined;
  return day.toISOString().startsWith(date) ? instant : undefined;
}

/** How far ahead an item or a store may come back by itself: a year, leap or not. */
export const LONGEST_UNTIL_MS = 366 * 86_400_000;
