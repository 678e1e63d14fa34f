/** An IANA name. Node takes offsets (`+05:00`) for zones too, from version 22 on. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+\-/]{0,63}$/.test(text)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }));
  } catch {
    return false;
  }
}

const DAY_MS = 86_400_000;

/**
 * The moment at which clocks in the zone show this. `wall`: what they show, as if it were UTC. Undefined if they never
 * show it, or twice, as when the clocks are changed.
 */
export function momentInZone(wall: Date, timeZone: string): Date | undefined {
  const shown = clockOf(timeZone);
  const at = wall.getTime();
  const offsets = [at - DAY_MS, at + DAY_MS].map((near) => shown(near) - near);
  const moments = [...new Set(offsets)]
    .map((offset) => at - offset)
    .filter((moment) => Math.floor(shown(moment) / 1_000) === Math.floor(at / 1_000));
  const [moment] = moments;
  return moments.length === 1 && moment !== undefined ? new Date(moment) : undefined;
}

/** The day that calendars in the zone show at a moment, `yyyy-MM-dd`. */
export function dayInZone(moment: Date, timeZone: string): string {
  return dayOf(clockOf(timeZone)(moment.getTime()));
}

/**
 * The first moment of a day in the zone. Where the clocks skip midnight the day begins at the end of the gap, and where
 * they show it twice with the first; a day that the zone never had begins with the next one. `day`: `yyyy-MM-dd`.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const shown = clockOf(timeZone);
  const at = Date.parse(day);
  const moments = [at - DAY_MS, at + DAY_MS]
    .map((near) => at - (shown(near) - near))
    .toSorted((one, other) => one - other);
  const first = moments.find((moment) => dayOf(shown(moment)) === day) ?? moments.at(-1);
  return new Date(first ?? at);
}

/** The next day of the calendar, both `yyyy-MM-dd`. */
export function dayAfter(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}

function dayOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** What a clock in the zone shows at a moment, both in ms, the former as if it were UTC. */
function clockOf(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (moment) => {
    const parts = format.formatToParts(moment);
    const [year = 0, month = 1, day, hour, minute, second] = FIELDS.map((type) =>
      Number(parts.find((part) => part.type === type)?.value),
    );
    return Date.UTC(year, month - 1, day, hour, minute, second, new Date(moment).getMilliseconds());
  };
}

const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
