import { moreErrors, SHOWN_PROBLEMS } from '../../platform/validation/shown-problems';
import type { MenuProblem, MenuProblems } from './menu-problems';

/** The `message` of a plain answer: each sentence once, at most 50, and a 51st that counts the others. */
export function toSentences(problems: MenuProblems): string[] {
  const more = problems.sentenceCount - problems.sentences.length;
  return more === 0 ? [...problems.sentences] : [...problems.sentences, moreErrors(more)];
}

/** One entry of the `errors` of a problem+json answer. */
export interface MenuProblemDetail {
  readonly code: MenuProblem['code'] | 'more_errors';
  readonly pointer: string;
  readonly detail: string;
  readonly external_id?: string;
}

/**
 * The `errors` of a problem+json answer: every occurrence with its place, at most 50, and a 51st that counts the
 * others.
 */
export function toProblemDetails(problems: MenuProblems): MenuProblemDetail[] {
  const details: MenuProblemDetail[] = problems.occurrences.map(
    ({ code, pointer, sentence, externalId }) => ({
      code,
      pointer,
      detail: sentence,
      ...(externalId !== undefined && { external_id: externalId }),
    }),
  );
  const more = problems.occurrenceCount - details.length;
  if (more > 0) details.push({ code: 'more_errors', pointer: '', detail: moreErrors(more) });
  return details;
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
