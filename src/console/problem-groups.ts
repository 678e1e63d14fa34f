import type { AppError, ErrorDetail } from '../platform/errors';
import { quoteValue } from '../platform/text/quote-value';
import { sentencesOf } from './console-route';

/** One sentence of a refusal, with every place that it is about. */
export interface ProblemGroup {
  readonly sentence: string;
  /** How often it is true, also where it is not listed. */
  readonly count: number;
  /** What to write instead, each hint once. */
  readonly hints: readonly string[];
  readonly places: readonly ProblemPlace[];
}

export interface ProblemPlace {
  readonly pointer: string;
  readonly externalId: string | null;
  /** The refused value as JSON; null for a missing one. */
  readonly sent: string | null;
}

/** The errors of a refusal by their sentence, in their order; without places, the sentences alone. */
export function groupProblems(error: AppError): readonly ProblemGroup[] {
  const { details, omitted = [] } = error.options;
  if (!details) return sentencesOf(error).map((sentence) => groupOf(sentence, [], 1));
  const bySentence = new Map<string, ErrorDetail[]>();
  for (const each of details) {
    const others = bySentence.get(each.detail);
    if (others) others.push(each);
    else bySentence.set(each.detail, [each]);
  }
  const more = new Map(omitted.map(({ detail, count }) => [detail, count]));
  const listed = [...bySentence].map(([sentence, each]) =>
    groupOf(sentence, each, each.length + (more.get(sentence) ?? 0)),
  );
  const others = omitted.filter(({ detail }) => !bySentence.has(detail));
  return [...listed, ...others.map(({ detail, count }) => groupOf(detail, [], count))];
}

function groupOf(sentence: string, errors: readonly ErrorDetail[], count: number): ProblemGroup {
  return {
    sentence,
    count,
    hints: [...new Set(errors.flatMap(({ hint }) => hint ?? []))],
    places: errors.map(({ pointer = '', external_id: id, value }) => ({
      pointer,
      externalId: id ?? null,
      sent: value === undefined ? null : quoteValue(JSON.stringify(value) ?? ''),
    })),
  };
}
