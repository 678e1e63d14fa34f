/** What is wrong with a field: the machine-readable half of its message, in the order of the checks. */
export const FIELD_PROBLEM_CODES = [
  'required',
  'not_object',
  'not_array',
  'not_string',
  'not_number',
  'invalid_format',
  'invalid',
  'too_long',
  'too_many',
] as const;

export type FieldProblemCode = (typeof FIELD_PROBLEM_CODES)[number];

const SENTENCES: Readonly<Record<FieldProblemCode, string>> = {
  required: 'The X field is required.',
  not_object: 'The X must be an object.',
  not_array: 'The X must be an array.',
  not_string: 'The X must be a string.',
  not_number: 'The X must be a number.',
  invalid_format: 'The X format is invalid.',
  invalid: 'The selected X is invalid.',
  too_long: 'The X may not be greater than N characters.',
  too_many: 'The X may not have more than N items.',
};

/** The message about the field at a JSON Pointer; `limit` is the exceeded size, for the codes that have one. */
export function fieldSentence(code: FieldProblemCode, pointer: string, limit?: number): string {
  const template = SENTENCES[code];
  return template.replace(/\b[XN]\b/g, (blank) => (blank === 'X' ? wordsOf(pointer) : `${limit}`));
}

/** `/items/0/quantity` → `items.0.quantity`: the name of a field in a plain 422 answer. */
export function fieldKey(pointer: string): string {
  return pointer === '' ? 'body' : segments(pointer).join('.');
}

/** The field's own name with blanks; the numbers of lists are left out. */
function wordsOf(pointer: string): string {
  const named = segments(pointer).filter((segment) => !/^\d+$/.test(segment));
  return named.at(-1)?.replaceAll('_', ' ') ?? 'body';
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
