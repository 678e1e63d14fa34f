/**
 * What to write instead of a refused value: the `hint` of an error in problem+json. This is the one table of them: a
 * schema names its hint by the keyword `x-hint`, the menu rules and the handlers use the text.
 */
export const HINTS = {
  // Menus.
  hundredths: 'Hundredths as digits: 10.30 is "1030".',
  price: 'An object with hundredths as digits: 10.30 is {"value": "1030"}.',
  percent: 'Hundredths of a percent as digits: 16 % is "1600".',
  taxLabel: 'Capitals, digits and underscores, 64 at most.',
  barcode: '8, 12, 13 or 14 digits, of which the last is the check digit.',
  count: 'A whole number as digits: three is "3".',
  zeroPrices: 'Allowed only if the operator sets MENU_ZERO_PRICES=accept.',
  equalQuantities: 'Allowed only if the operator sets MENU_EQUAL_QUANTITIES=accept.',
  timeOfDay: 'HH:MM from 00:00 to 23:59; a night ends at 23:59 and goes on the next day at 00:00.',
  dayOfWeek: 'One of monday, tuesday, wednesday, thursday, friday, saturday, sunday.',
  text: 'A text, in quotation marks: 42 is "42".',
  noOptions: 'A group without options is left out, and so is what refers to it.',
  day: 'A day of the calendar: "2026-12-25".',
  specialDate: 'A day from today to a year ahead, by the calendar of the store, each once.',
  closedOrPeriods: 'Either "closed": true or periods.',
  periods: 'Each ends after it begins, and before the next one begins.',
  // Fields of other bodies and of queries.
  decimal: 'A decimal as text, with a point and at most six decimals: "26.4".',
  date: 'ISO 8601, with the offset: "2026-11-28T10:00:00+01:00".',
  webhookType: '1 for item data, 2 for stock movements.',
  deliveryType: '1 for item data, 2 for stock movements, or the name of an event.',
  movementType: '1 if stock was added, 2 if it was removed.',
  moment: 'ISO 8601 with an offset, whose + is written %2B: 2026-11-28T10:00:00%2B01:00.',
  until: 'ISO 8601 with an offset, in the future and within a year: "2026-11-28T10:00:00+01:00".',
  timeZone: 'A name of the IANA time zone database: "America/Mexico_City".',
  countryCode: 'Two letters of ISO 3166-1: "MX".',
  latitude: 'Degrees from -90 to 90, with a point: "19.4326".',
  longitude: 'Degrees from -180 to 180, with a point: "-99.1332".',
  wholeNumberId: 'A whole number: 7 or "7".',
  boolean: 'true or false, without quotation marks.',
  pageSize: 'A whole number from 1 to 100.',
  httpStatus: 'The status of an HTTP answer, from 100 to 599.',
} as const;

export type HintName = keyof typeof HINTS;

export function isHintName(name: unknown): name is HintName {
  return typeof name === 'string' && Object.hasOwn(HINTS, name);
}

/** For a value that must be one of a few. */
export function oneOfHint(values: readonly unknown[]): string {
  return `One of ${values.map(String).join(', ')}.`;
}
