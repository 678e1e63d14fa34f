import { put, rule, type Change, type MenuRule } from './rule';

/** The rules of a number as digits, from `least` to `most`. */
export interface NumberRules {
  readonly notString: MenuRule;
  readonly tooLow: MenuRule;
  readonly tooHigh?: MenuRule;
  readonly least: 0 | 1;
  readonly most: number;
}

/** The rule of a list that has one element at least. */
export interface CountRule extends MenuRule {
  readonly most: number;
}

/** The rules of a list of words, each of which may stand there once. */
export interface WordsRules {
  readonly notArray: MenuRule;
  readonly wrongCount?: CountRule;
  readonly notValid: MenuRule;
  readonly repeated: MenuRule;
  readonly isValid: (word: string) => boolean;
}

export const DETAILS = '/items/*/details';
export const set = (details: object): Change => put(DETAILS, details);

export function wrongType(
  code: 'not_object' | 'not_array' | 'not_string' | 'not_boolean',
  member: string,
  words: string,
  details: object,
): MenuRule {
  const type = {
    not_object: 'an object',
    not_array: 'an array',
    not_string: 'a string',
    not_boolean: 'a boolean',
  };
  return rule(
    code,
    `${DETAILS}/${member}`,
    `The item ${words} must be ${type[code]}.`,
    set(details),
  );
}

/** `setTo`: the changes that make the number this. */
export function numberRules(
  member: string,
  words: string,
  [least, most]: readonly [0 | 1, number],
  setTo: (value: unknown) => readonly Change[],
): NumberRules {
  const where = `${DETAILS}/${member}`;
  const of = `The item ${words}`;
  const tooLow =
    least === 0
      ? rule('negative', where, `${of} must not be less than 0.`, ...setTo('-1'))
      : rule('not_positive', where, `${of} must be greater than 0.`, ...setTo('0'));
  return {
    notString: rule('not_string', where, `${of} must be a string.`, ...setTo(1)),
    tooLow,
    ...(most < ANY && {
      tooHigh: rule(
        'above_maximum',
        where,
        `${of} must not be greater than ${most}.`,
        ...setTo(String(most + 1)),
      ),
    }),
    least,
    most,
  };
}

/** As many as 12 digits can say. */
export const ANY = 999_999_999_999;

export function wordsRules(
  member: string,
  [many, one]: readonly [string, string],
  isValid: WordsRules['isValid'],
  [word, other]: readonly [string, string],
): WordsRules {
  const where = `${DETAILS}/${member}/*`;
  return {
    notArray: wrongType('not_array', member, many, { [member]: word }),
    notValid: rule(
      'not_valid',
      where,
      `The item ${one} is not valid: VALUE`,
      set({ [member]: [other] }),
    ),
    repeated: rule(
      'repeated',
      where,
      `The item ${one} is repeated: VALUE`,
      set({ [member]: [word] }),
      { op: 'copy', from: `${DETAILS}/${member}/0`, path: `${DETAILS}/${member}/-` },
    ),
    isValid,
  };
}

export function oneOf(known: readonly string[]): WordsRules['isValid'] {
  const words = new Set(known);
  return (word) => words.has(word);
}

export function count(member: string, words: string, most: number, details: object): CountRule {
  const sentence = `The item ${words} must have 1 to ${most} elements.`;
  return { ...rule('wrong_count', `${DETAILS}/${member}`, sentence, set(details)), most };
}
