import { firstCodePoints } from '../../platform/text/clean-text';
import { quoteValue } from '../../platform/text/quote-value';
import { SHOWN_PROBLEMS } from '../../platform/validation/shown-problems';
import type { MenuProblemCode, MenuRule } from './rule';

/** One broken rule at one place. */
export interface MenuProblem {
  readonly code: MenuProblemCode;
  readonly sentence: string;
  /** JSON Pointer into the request body; for an absent field, the pointer that it would have. */
  readonly pointer: string;
  /** POS id of the menu, category, item or group concerned, if it has one. */
  readonly externalId?: string;
}

/**
 * The problems of a menu, in document order. A hostile body of 10 MB can have half a million problems, so only those
 * that an answer can show are kept; the counts are exact.
 */
export interface MenuProblems {
  /** The first problems, every occurrence. */
  readonly occurrences: readonly MenuProblem[];
  readonly occurrenceCount: number;
  /** The first messages, each once. */
  readonly sentences: readonly string[];
  readonly sentenceCount: number;
}

/** Offending values are cut at the length of an id, so that an id is always shown in full. */
const SHOWN_VALUE_LENGTH = 255;

/**
 * Where a problem is; requested only for problems that are kept, because writing the place costs more than finding
 * it.
 */
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
  /** For each rule, the values already reported with its message, to detect identical messages. */
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

/** A function as replacement, because `$&` and the like in a string would be read as patterns. */
function spell(rule: MenuRule, shown: string): string {
  return rule.sentence.replace(/VALUE$/, () => shown);
}

const PLAIN_VALUE = /^[!-~]{1,255}$/;

function showValue(value: string): string {
  // Nearly all ids are plain; checking each character of half a million of them would take a second.
  if (PLAIN_VALUE.test(value)) return value;
  return quoteValue(firstCodePoints(value, SHOWN_VALUE_LENGTH));
}
