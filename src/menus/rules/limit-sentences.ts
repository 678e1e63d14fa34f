import { SHOWN_PROBLEMS } from './menu-problems';
import { moreErrors } from './problem-sentences';

/** An answer's sentences: at most 50, and a 51st that counts the others. `count` says how many there are, where `first` are not all. */
export function limitSentences(first: readonly string[], count = first.length): string[] {
  const shown = first.slice(0, SHOWN_PROBLEMS);
  const more = count - shown.length;
  return more <= 0 ? shown : [...shown, moreErrors(more)];
}
