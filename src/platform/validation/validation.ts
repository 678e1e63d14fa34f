import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { compileSchema } from './compile-schema';
import { fieldProblems, type FieldProblem } from './field-problems';

export type Validation<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly errors: readonly FieldProblem[];
    };

/**
 * Compiles the check of one schema, so call it once per schema and process. A value gets one message, that of its
 * first failing check.
 */
export function createValidator<
  const Schema extends JSONSchema & object,
  Value = FromSchema<Schema>,
>(schema: Schema): (value: unknown) => Validation<Value> {
  const compiled = compileSchema(schema);
  return (value) => {
    if (compiled.accepts(value)) return { ok: true, value: value as Value };
    return { ok: false, errors: fieldProblems(compiled.errors(value)) };
  };
}
