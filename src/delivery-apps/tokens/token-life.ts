/** A token that is said to live shorter would be fetched before every push. */
const LEAST_MS = 60_000;
/** One that is said to live longer, or for ever (`1e999`), is renewed all the same: secrets are changed. */
const MOST_MS = 90 * 86_400_000;

/**
 * When a token ends (ms since epoch) of which the app says that it lives for `seconds` from `now`: taken as 60 s to 90 days,
 * whatever the app wrote. What is no number counts as the least: should the token live longer, one call too many was made.
 */
export function tokenEnd(seconds: unknown, now: number): number {
  const ms =
    typeof seconds === 'number' || typeof seconds === 'string' ? Number(seconds) * 1000 : 0;
  return now + Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, LEAST_MS), MOST_MS);
}
