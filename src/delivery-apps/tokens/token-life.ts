/** A token with a shorter stated lifetime would be fetched before every push. */
const LEAST_MS = 60_000;
/** A token with a longer stated lifetime, or an infinite one (`1e999`), is renewed anyway, because secrets change. */
const MOST_MS = 90 * 86_400_000;

/**
 * When a token ends (ms since epoch) that the app says lives `seconds` from `now`, limited to between 60 s and 90
 * days. Anything but a number counts as the minimum: at worst one call too many is made.
 */
export function tokenEnd(seconds: unknown, now: number): number {
  const ms =
    typeof seconds === 'number' || typeof seconds === 'string' ? Number(seconds) * 1000 : 0;
  return now + Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, LEAST_MS), MOST_MS);
}
