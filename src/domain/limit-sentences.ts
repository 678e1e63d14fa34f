import { SHOWN_PROBLEMS } from './menu-rules/menu-problems';
import { moreErrors } from './menu-rules/problem-sentences';

/** An answer's sentences: at most 50, and a 51st that counts the others. */
export function limitSentences(all: readonly string[]): string[] {
  const more = all.length - SHOWN_PROBLEMS;
  return more <= 0 ? [...all] : [...all.slice(0, SHOWN_PROBLEMS), moreErrors(more)];
}
