import { firstCodePoints } from '../../platform/text/clean-text';
import { quoteValue } from '../../platform/text/quote-value';
import type { MenuProblemCode, MenuRule } from './rule';

/** One broken rule at one place. */
export interface MenuProblem {
  readonly code: MenuProblemCode;
  readonly sentence: string;
  /** JSON Pointer into the request body; an absent field's pointer is the field's own. */
  readonly pointer: string;
  /** POS id of the menu, category, item or group that it is about, when that has one. */
  readonly externalId?: string;
}

/**
 * What is wrong with a menu, in document order. A hostile body of 10 MB can hold half a million problems,
 * so only those that an answer can show are kept; the counts are exact.
 */
export interface MenuProblems {
  /** The first problems, every occurrence. */
  readonly occurrences: readonly MenuProblem[];
  readonly occurrenceCount: number;
  /** The first sentences, each once. */
  readonly sentences: readonly string[];
  readonly sentenceCount: number;
}

/** How many problems, and how many sentences, an answer shows before it only counts. */
export const SHOWN_PROBLEMS = 50;

/** Offending values are shown up to the length of an id, so that an id is always shown whole. */
const SHOWN_VALUE_LENGTH = 255;

/** Where a problem is; asked for only when the problem is kept, as spelling it costs more than finding it. */
export interface ProblemPlace {
  pointer(rule: MenuRule): string;
  externalId(rule: MenuRule): string | undefined;
}

export interface ProblemCollector {
  add(rule: MenuRule, place: ProblemPlace, value: string | undefined): void;
  result(): MenuProblems;
}

export function collectProblems(): ProblemCollector {
  const occurrences: MenuProblem[] = [];
  const sentences: string[] = [];
  /** Per rule the values that its sentence was said about: what "identical sentences" is decided by. */
  const said = new Map<MenuRule, Set<string>>();
  let occurrenceCount = 0;
  let sentenceCount = 0;

  function isNews(rule: MenuRule, shown: string): boolean {
    let values = said.get(rule);
    if (values === undefined) said.set(rule, (values = new Set()));
    if (values.has(shown)) return false;
    values.add(shown);
    return true;
  }

  return {
    add(rule, place, value) {
      const shown = value === undefined ? '' : showValue(value);
      if (isNews(rule, shown)) {
        sentenceCount += 1;
        if (sentences.length < SHOWN_PROBLEMS) sentences.push(spell(rule, shown));
      }
      occurrenceCount += 1;
      if (occurrences.length >= SHOWN_PROBLEMS) return;
      const externalId = place.externalId(rule);
      occurrences.push({
        code: rule.code,
        sentence: spell(rule, shown),
        pointer: place.pointer(rule),
        ...(externalId !== undefined && { externalId }),
      });
    },
    result: () => ({ occurrences, occurrenceCount, sentences, sentenceCount }),
  };
}

/** A function as replacement: in a string `$&` and the like would be read as patterns. */
function spell(rule: MenuRule, shown: string): string {
  return rule.sentence.replace(/VALUE$/, () => shown);
}

const PLAIN_VALUE = /^[!-~]{1,255}$/;

function showValue(value: string): string {
  // Nearly all ids are plain; looking at each character of half a million of them would take a second.
  if (PLAIN_VALUE.test(value)) return value;
  return quoteValue(firstCodePoints(value, SHOWN_VALUE_LENGTH));
}
