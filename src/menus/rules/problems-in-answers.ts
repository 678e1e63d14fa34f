import type { ErrorDetail } from '../../platform/errors';
import { moreErrors, SHOWN_PROBLEMS } from '../../platform/validation/shown-problems';
import type { MenuProblems } from './menu-problems';

/** The `message` of a plain answer: each sentence once, at most 50, and a 51st that counts the others. */
export function toSentences(problems: MenuProblems): string[] {
  const more = problems.sentenceCount - problems.sentences.length;
  return more === 0 ? [...problems.sentences] : [...problems.sentences, moreErrors(more)];
}

/** The `errors` of a problem+json answer: each shown problem with its place, its value and what to write instead. */
export function toProblemDetails(problems: MenuProblems): ErrorDetail[] {
  return problems.shown.map(({ code, pointer, sentence, externalId, value, hint }) => ({
    code,
    pointer,
    detail: sentence,
    ...(externalId !== undefined && { external_id: externalId }),
    ...(value !== undefined && { value }),
    ...(hint !== undefined && { hint }),
  }));
}

/**
 * An answer's messages: at most 50, and a 51st that counts the others. `count` is their total, if `first` does not
 * have all.
 */
export function limitSentences(first: readonly string[], count = first.length): string[] {
  const shown = first.slice(0, SHOWN_PROBLEMS);
  const more = count - shown.length;
  return more <= 0 ? shown : [...shown, moreErrors(more)];
}
