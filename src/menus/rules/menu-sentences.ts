import { copy, put, remove, rule, type Change, type MenuList, type MenuRule } from './rule';

/** The rules of one string. Without `required` the string may be absent, null or empty. */
export interface TextRules {
  readonly required?: MenuRule;
  readonly notString: MenuRule;
  readonly tooLong: MenuRule;
  readonly maxLength: number;
}

export interface RequiredTextRules extends TextRules {
  readonly required: MenuRule;
}

export interface ListRules {
  readonly required: MenuRule;
  readonly notArray: MenuRule;
}

interface TextField {
  /** Such as `The menu`, followed by the rest of the sentence: `must have a name`, `name must be a string`. */
  readonly subject: string;
  readonly words: string;
  readonly where: string;
  readonly maxLength: number;
  /** How to set the field (undefined removes it) without breaking another rule. */
  readonly set?: (value: unknown) => readonly Change[];
}

export function optionalText(field: TextField): TextRules {
  const { subject, words, where, maxLength, set = (value) => [put(where, value)] } = field;
  return {
    notString: rule('not_string', where, `${subject} ${words} must be a string.`, ...set(42)),
    tooLong: rule(
      'too_long',
      where,
      `${subject} ${words} may not be greater than ${maxLength} characters.`,
      ...set('x'.repeat(maxLength + 1)),
    ),
    maxLength,
  };
}

export function requiredText(field: TextField): RequiredTextRules {
  const { subject, words, where, set = () => [remove(where)] } = field;
  const article = /^[aeiou]/.test(words) ? 'an' : 'a';
  return {
    required: rule(
      'required',
      where,
      `${subject} must have ${article} ${words}.`,
      ...set(undefined),
    ),
    ...optionalText(field),
  };
}

/**
 * The rules of an id that others refer to. Its examples break a copy of the entity, because breaking the entity
 * itself would also break the references to it.
 */
export function ownId(subject: string, list: string, maxLength: number) {
  const where = `${list}/*/external_id`;
  const setOnCopy = (value: unknown): Change[] => {
    const path = `${list}/-/external_id`;
    return [copy(`${list}/*`, `${list}/-`), value === undefined ? remove(path) : put(path, value)];
  };
  return {
    ...requiredText({ subject, words: 'external id', where, maxLength, set: setOnCopy }),
    repeated: repeated(subject, 'external id', list, where),
  };
}

export function repeated(subject: string, words: string, list: string, where: string): MenuRule {
  return rule(
    'repeated',
    where,
    `${subject} ${words} is repeated: VALUE`,
    copy(`${list}/*`, `${list}/-`),
  );
}

/** The rules of an id that refers to another entity. */
export function reference(subject: string, where: string, maxLength: number, refersTo: MenuList) {
  return {
    ...requiredText({ subject, words: 'external id', where, maxLength }),
    ...entryReference(subject, where, maxLength, refersTo),
  };
}

/** The same for an id that is itself the entry of a list: nothing is absent there, and an empty one is no text. */
export function entryReference(
  subject: string,
  where: string,
  maxLength: number,
  refersTo: MenuList,
) {
  return {
    ...optionalText({ subject, words: 'external id', where, maxLength }),
    unknown: {
      ...rule(
        'unknown_reference',
        where,
        `${subject} external id does not exist: VALUE`,
        put(where, 'NO-SUCH-ID'),
      ),
      refersTo,
    },
  };
}

export function requiredList(subject: string, words: string, where: string): ListRules {
  return {
    required: rule('required', where, `${subject} must have ${words}.`, remove(where)),
    notArray: rule('not_array', where, `${subject} ${words} must be an array.`, put(where, 'none')),
  };
}

/** `where` is the object's own path; objects in lists are broken by appending something else. */
export function object(subject: string, where: string): MenuRule {
  const inList = where.endsWith('/*');
  const path = inList ? `${where.slice(0, -1)}-` : where;
  return rule('not_object', where, `${subject} must be an object.`, put(path, 'none'));
}
