import type { ErrorObject } from 'ajv';
import { FIELD_PROBLEM_CODES, fieldSentence, type FieldProblemCode } from './field-sentence';
import { HINTS, isHintName, oneOfHint } from './hints';
import { shownMissing, shownValue } from './shown-value';

export interface FieldProblem {
  readonly code: FieldProblemCode;
  /** JSON Pointer; for an absent field, the pointer that it would have. */
  readonly pointer: string;
  readonly detail: string;
  /** The refused value; absent for a missing one, and where it may hold a secret. */
  readonly value?: unknown;
  /** What to write instead, where the field has a form. */
  readonly hint?: string;
}

/** Fields whose values may hold secrets, and a body that is no object: they are never sent back. */
const SECRET_FIELDS = /^$|^\/(headers|url)(\/|$)/;

/** One problem per value, its first failing check; `errors` are AJV's, with `allErrors` and `verbose`. */
export function fieldProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  const firsts = new Map<string, FieldProblem>();
  for (const error of errors) {
    const code = codeOf(error);
    if (code === undefined) continue;
    const pointer = pointerOf(error);
    const other = firsts.get(pointer);
    // AJV orders errors by keyword, so a pattern comes before a minimum length.
    if (other !== undefined && rank(other.code) <= rank(code)) continue;
    const limit: unknown = error.params['limit'];
    const detail = fieldSentence(code, pointer, typeof limit === 'number' ? limit : undefined);
    firsts.set(pointer, { code, pointer, detail, ...valueAndHint(error, code, pointer) });
  }
  return [...firsts.values()];
}

function valueAndHint(
  error: ErrorObject,
  code: FieldProblemCode,
  pointer: string,
): Pick<FieldProblem, 'value' | 'hint'> {
  // Its data is the object that lacks the field.
  if (error.keyword === 'required') return {};
  const isMissing = code === 'required';
  const shown = isMissing ? shownMissing : shownValue;
  const value = SECRET_FIELDS.test(pointer) ? undefined : shown(error.data);
  const hint = isMissing ? undefined : hintOf(error);
  return { ...(value !== undefined && { value }), ...(hint !== undefined && { hint }) };
}

/** The hint that the schema names; else the values that are allowed. */
function hintOf(error: ErrorObject): string | undefined {
  const name: unknown = error.parentSchema?.['x-hint'];
  if (isHintName(name)) return HINTS[name];
  const allowed: unknown = error.params['allowedValues'];
  return Array.isArray(allowed) ? oneOfHint(allowed.filter((each) => each !== null)) : undefined;
}

function rank(code: FieldProblemCode): number {
  return FIELD_PROBLEM_CODES.indexOf(code);
}

function codeOf(error: ErrorObject): FieldProblemCode | undefined {
  switch (error.keyword) {
    case 'required':
    case 'minLength':
    case 'minItems':
      return 'required';
    case 'type':
      // Null means absent; where a value may be absent, the schema allows null as well.
      if (error.data === null) return 'required';
      return refusalOf(error) ?? typeCode(error.params['type']);
    case 'enum':
      return 'invalid';
    case 'minimum':
    case 'maximum':
    case 'multipleOf':
      return refusalOf(error) ?? 'invalid';
    case 'pattern':
    case 'format':
      return refusalOf(error) ?? 'invalid_format';
    case 'maxLength':
      return 'too_long';
    case 'maxItems':
      return 'too_many';
    case 'if':
      // Says only that a condition's consequence failed; the consequence has its own error.
      return undefined;
    default:
      throw new Error(`No sentence for the schema keyword ${error.keyword}.`);
  }
}

/** A schema may name a code that fits its field better than the default. */
function refusalOf(error: ErrorObject): FieldProblemCode | undefined {
  const refusal: unknown = error.parentSchema?.['x-refusal'];
  return FIELD_PROBLEM_CODES.find((code) => code === refusal);
}

/** If several types are allowed, the message names the first. */
function typeCode(type: unknown): FieldProblemCode {
  const first: unknown = Array.isArray(type) ? type[0] : type;
  switch (first) {
    case 'array':
      return 'not_array';
    case 'object':
      return 'not_object';
    case 'number':
    case 'integer':
      return 'not_number';
    default:
      return 'not_string';
  }
}

function pointerOf({ keyword, instancePath, params }: ErrorObject): string {
  if (keyword !== 'required') return instancePath;
  const missing = String(params['missingProperty']);
  return `${instancePath}/${missing.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
