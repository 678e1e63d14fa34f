/** A day with hours of its own, as guests meet it. */
export interface ShownDay {
  /** The app's own id of it, where it has one. */
  readonly id?: number;
  /** `yyyy-MM-dd`; `MM-dd` where the app knows no years. */
  readonly date: string;
  /** `HH:mm`; none: closed all day. */
  readonly periods: readonly ShownPeriod[];
  readonly name: string | null;
}

export interface ShownPeriod {
  readonly start: string;
  readonly end: string;
}

/** Whether a text is a day of the calendar, `yyyy-MM-dd`. */
export function isDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Whether these are hours of one day: `HH:mm`, each ends after it begins, and none begins before another has ended. */
export function areHours(periods: readonly ShownPeriod[]): boolean {
  const inOrder = periods.toSorted((one, other) => one.start.localeCompare(other.start));
  return inOrder.every(({ start, end }, at) => {
    const next = inOrder[at + 1];
    return isTime(start) && isTime(end) && start < end && (!next || end <= next.start);
  });
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
