import { spellDuration } from './parts';

/** The unit of the bars of a plot. */
export type Unit = 'count' | 'ms' | 's';

/** The values that stand beside a plot: its top, its middle and nothing. */
export interface Axis {
  readonly top: number;
  readonly labels: readonly [top: string, middle: string, bottom: string];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Tops of axes above 10 s whose halves are spelled without a remainder, ms. */
const LONG_TOPS = [
  ...[20, 40, 60].map((s) => s * SECOND),
  ...[2, 4, 10, 20, 40, 60].map((min) => min * MINUTE),
  ...[2, 4, 8, 24].map((h) => h * HOUR),
  ...[2, 4, 10, 20, 40, 100].map((days) => days * DAY),
];

/** An axis up to the first round value that is not below `most`. */
export function axisOf(most: number, unit: Unit): Axis {
  if (unit === 'count') {
    const top = roundTop(most);
    return { top, labels: [spellCount(top), spellCount(top / 2), '0'] };
  }
  const inUnit = unit === 's' ? SECOND : 1;
  const ms = most * inUnit;
  const top = ms <= 10 * SECOND ? roundTop(ms) : (LONG_TOPS.find((each) => each >= ms) ?? ms);
  return { top: top / inUnit, labels: [spellRound(top), spellRound(top / 2), '0'] };
}

/** An even digit or ten, times a power of ten: their halves are round, too. */
function roundTop(most: number): number {
  for (let power = 1; ; power *= 10) {
    const top = [2, 4, 6, 8, 10].map((each) => each * power).find((each) => each >= most);
    if (top !== undefined) return top;
  }
}

function spellCount(count: number): string {
  return count.toLocaleString('en');
}

function spellRound(ms: number): string {
  return ms < SECOND ? `${ms} ms` : spellDuration(ms / SECOND);
}

/** The moments of every quarter of the last hour, to the minute. */
export function quartersUntil(now: Date): readonly Date[] {
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
  return [60, 45, 30, 15, 0].map((ago) => new Date(minute - ago * MINUTE));
}
