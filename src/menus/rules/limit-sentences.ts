import { SHOWN_PROBLEMS } from './menu-problems';
import { moreErrors } from './problem-sentences';

/**
 * An answer's messages: at most 50, and a 51st that counts the others. `count` is their total, if `first` does not
 * have all.
 */
export function limitSentences(first: readonly string[], count = first.length): string[] {
  const shown = first.slice(0, SHOWN_PROBLEMS);
  const more = count - shown.length;
  return more <= 0 ? shown : [...shown, moreErrors(more)];
}
