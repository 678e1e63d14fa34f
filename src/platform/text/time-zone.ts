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
