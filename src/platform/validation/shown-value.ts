import { firstCodePoints } from '../text/clean-text';

/** Characters of a text, and of an object or list as JSON, that an error shows of a refused value. */
const SHOWN_LENGTH = 100;

/**
 * A refused value as an error shows it: as it was sent, a text cut after 100 characters. Undefined for what cannot be
 * shown: an absent value, and an object or list that is longer than that.
 */
export function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return firstCodePoints(value, SHOWN_LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  return jsonLength(value, SHOWN_LENGTH) <= SHOWN_LENGTH ? value : undefined;
}

/** The same for a value that counts as missing: only a text of blanks is shown, which nobody would see otherwise. */
export function shownMissing(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? shownValue(value) : undefined;
}

/** About the length of a value as JSON; counting ends past `most`, because a body may be one value of 10 MB. */
function jsonLength(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return String(value).length;
  const members: Iterable<readonly [unknown, unknown]> = Array.isArray(value)
    ? value.entries()
    : Object.entries(value);
  let length = 2;
  for (const [key, member] of members) {
    const name = typeof key === 'string' ? key.length + 4 : 1;
    length += name + jsonLength(member, most - length);
    if (length > most) break;
  }
  return length;
}
