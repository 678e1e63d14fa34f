declare const brand: unique symbol;
/** An instant in whole seconds, ISO 8601 UTC, always ending `.000Z`: `2023-01-19T00:40:31.000Z`. */
export type WholeSecond = string & { readonly [brand]: 'whole second' };

/**
 * The second that contains `now` (ms since the epoch); never the next one, which a receiver could take for the
 * future. One value dates an attempt's body and both of its signatures, because Standard Webhooks counts in seconds.
 */
export function wholeSecond(now: number): WholeSecond {
  return new Date(Math.floor(now / 1_000) * 1_000).toISOString() as WholeSecond;
}

/** Seconds since the epoch: the value of `webhook-timestamp`. */
export function unixSeconds(instant: WholeSecond): number {
  return Date.parse(instant) / 1_000;
}
