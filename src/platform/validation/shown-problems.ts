import type { OmittedErrors } from '../errors';

/** How many problems, and how many messages, an answer shows before it only counts. */
export const SHOWN_PROBLEMS = 50;

/** Replaces the messages past the 50th. */
export function moreErrors(count: number): string {
  return count === 1 ? 'There is 1 more error.' : `There are ${count} more errors.`;
}

/**
 * Chooses which of many problems an answer shows, and counts the others. A hostile body of 10 MB can have half a
 * million problems, so nothing is kept that an answer cannot show; the counts are exact.
 */
export interface ProblemChooser<Problem> {
  /**
   * Adds a problem whose sentence is that of `kind` and `value`. `spell` and `describe` are called only for what may be
   * shown, because writing a problem down costs more than finding it.
   */
  add(kind: unknown, value: string, spell: () => string, describe: () => Problem): void;
  result(): ChosenProblems<Problem>;
}

export interface ChosenProblems<Problem> {
  /** At most 50. If there are more, the first of every sentence comes first; otherwise, and then, in their order. */
  readonly shown: readonly Problem[];
  /** Those not shown, by sentence: at most 50 sentences, and the others together in a last entry. */
  readonly omitted: readonly OmittedErrors[];
  readonly count: number;
  /** The first 50 sentences, each once, and how many there are. */
  readonly sentences: readonly string[];
  readonly sentenceCount: number;
}

interface Sentence {
  /** Empty for those that no answer can list. */
  readonly detail: string;
  count: number;
}

interface Kept<Problem> {
  readonly number: number;
  readonly sentence: Sentence;
  readonly problem: Problem;
}

/** Of the first 100 sentences at least 50 are listed as omitted, if there are so many. */
const COUNTED_SENTENCES = 2 * SHOWN_PROBLEMS;

export function createProblemChooser<Problem>(): ProblemChooser<Problem> {
  const firsts: Kept<Problem>[] = [];
  const others: Kept<Problem>[] = [];
  const sentences: Sentence[] = [];
  const known = new Map<unknown, Map<string, Sentence>>();
  const uncounted: Sentence = { detail: '', count: 0 };
  let count = 0;
  let sentenceCount = 0;

  function addSentence(values: Map<string, Sentence>, value: string, spell: () => string) {
    sentenceCount += 1;
    const isCounted = sentenceCount <= COUNTED_SENTENCES;
    const sentence = isCounted ? { detail: spell(), count: 0 } : uncounted;
    if (isCounted) sentences.push(sentence);
    values.set(value, sentence);
    return sentence;
  }

  return {
    add(kind, value, spell, describe) {
      let values = known.get(kind);
      if (values === undefined) known.set(kind, (values = new Map()));
      const before = values.get(value);
      const sentence = before ?? addSentence(values, value, spell);
      sentence.count += 1;
      count += 1;
      const kept = before === undefined ? firsts : others;
      if (kept.length < SHOWN_PROBLEMS) kept.push({ number: count, sentence, problem: describe() });
    },
    result() {
      const chosen = [...firsts, ...others].slice(0, SHOWN_PROBLEMS);
      if (count <= SHOWN_PROBLEMS) chosen.sort((one, other) => one.number - other.number);
      return {
        shown: chosen.map(({ problem }) => problem),
        omitted: omittedOf(sentences, chosen, count),
        count,
        sentences: sentences.slice(0, SHOWN_PROBLEMS).map(({ detail }) => detail),
        sentenceCount,
      };
    },
  };
}

function omittedOf(
  sentences: readonly Sentence[],
  chosen: readonly Kept<unknown>[],
  count: number,
): readonly OmittedErrors[] {
  const shownOf = new Map<Sentence, number>();
  for (const { sentence } of chosen) shownOf.set(sentence, (shownOf.get(sentence) ?? 0) + 1);
  const omitted = sentences
    .map((sentence) => ({
      detail: sentence.detail,
      count: sentence.count - (shownOf.get(sentence) ?? 0),
    }))
    .filter((each) => each.count > 0)
    .slice(0, SHOWN_PROBLEMS);
  const listed = omitted.reduce((sum, each) => sum + each.count, chosen.length);
  return listed === count
    ? omitted
    : [...omitted, { detail: moreErrors(count - listed), count: count - listed }];
}
