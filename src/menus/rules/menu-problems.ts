import { firstCodePoints } from '../../platform/text/clean-text';
import { quoteValue } from '../../platform/text/quote-value';
import {
  type ChosenProblems,
  createProblemChooser,
} from '../../platform/validation/shown-problems';
import type { MenuProblemCode, MenuRule } from './rule';

/** One broken rule at one place. */
export interface MenuProblem {
  readonly code: MenuProblemCode;
  readonly sentence: string;
  /** JSON Pointer into the request body; for an absent field, the pointer that it would have. */
  readonly pointer: string;
  /** POS id of the menu, category, item or group concerned, if it has one. */
  readonly externalId?: string;
  /** The refused value as an error shows it; absent for a missing one and for what is too long. */
  readonly value?: unknown;
  /** What to write instead, where a form is wanted. */
  readonly hint?: string;
}

/** The problems of a menu that an answer shows, in document order as long as it shows all. */
export type MenuProblems = ChosenProblems<MenuProblem>;

/** Offending values are cut at the length of an id, so that an id is always shown in full. */
const SHOWN_VALUE_LENGTH = 255;

/** Describes a problem; requested only for problems that are kept, because that costs more than finding them. */
export type DescribeProblem = (rule: MenuRule) => Omit<MenuProblem, 'code' | 'sentence'>;

export interface ProblemCollector {
  add(rule: MenuRule, value: string | undefined): void;
  result(): MenuProblems;
}

export function collectProblems(describe: DescribeProblem): ProblemCollector {
  const chooser = createProblemChooser<MenuProblem>();
  return {
    add(rule, value) {
      const shown = value === undefined ? '' : showValue(value);
      const sentence = () => spell(rule, shown);
      chooser.add(rule, shown, sentence, () => ({
        code: rule.code,
        sentence: sentence(),
        ...describe(rule),
      }));
    },
    result: () => chooser.result(),
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
