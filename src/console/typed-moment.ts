const TYPED = /^\s*(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d)?))?\s*$/;

/**
 * A day or a time as a person types it, `2026-05-01` or `2026-05-01 18:30`, as the API takes it: in UTC, as its field
 * says. Anything else stays as it is, and the API says what is wrong with it.
 */
export function typedMoment(text: string): string {
  const [, day, time = '00:00:00'] = TYPED.exec(text) ?? [];
  return day === undefined ? text : `${day}T${time.padEnd(8, ':00')}Z`;
}
