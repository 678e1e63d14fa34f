const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function isUnit(text: string | undefined): text is keyof typeof UNIT_MS {
  return text !== undefined && Object.hasOwn(UNIT_MS, text);
}

/**
 * `500ms`, `10s`, `2m`, `1h` or `7d` → milliseconds. Throws an Error that says what is expected. A bare number is
 * refused, because some people mean seconds and others milliseconds.
 */
export function parseDuration(text: string): number {
  // Seven digits of days still fit a safe integer.
  const [, count, unit] = /^(\d{1,7})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) {
    throw new Error('must be a duration such as 500ms, 10s, 2m, 1h or 7d');
  }
  return Number(count) * UNIT_MS[unit];
}

/** `1s,5s,30s` → milliseconds, in order; blanks around the commas are allowed. Throws like `parseDuration`. */
export function parseDurations(text: string): readonly number[] {
  try {
    return text.split(',').map((each) => parseDuration(each.trim()));
  } catch {
    throw new Error('must be durations separated by commas, such as 1s,30s,10m,1h');
  }
}
