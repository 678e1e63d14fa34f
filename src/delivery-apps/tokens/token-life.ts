/* How long a token of an app is used, and when it is renewed. */

/** A token with a shorter stated lifetime would be fetched before every push. */
const LEAST_MS = 60_000;
/** A token with a longer stated lifetime, or an infinite one (`1e999`), is renewed anyway, because secrets change. */
const MOST_MS = 90 * 86_400_000;
/** Renewed when a tenth of its lifetime is left, at most five minutes early. */
const LONGEST_MARGIN_MS = 300_000;
/** Not used so shortly before its end, because a request with it may take this long to arrive. */
export const LAST_USE_MS = 10_000;

/**
 * When a token ends (ms since epoch) that the app says lives `seconds` from `now`, limited to between 60 s and 90
 * days. Anything but a number counts as the minimum: at worst one call too many is made.
 */
export function tokenEnd(seconds: unknown, now: number): number {
  const ms =
    typeof seconds === 'number' || typeof seconds === 'string' ? Number(seconds) * 1000 : 0;
  return now + Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, LEAST_MS), MOST_MS);
}

/** After which part of its life a token is renewed, ms. */
export function untilRenewalMs(livesMs: number): number {
  return livesMs - Math.min(livesMs / 10, LONGEST_MARGIN_MS);
}
