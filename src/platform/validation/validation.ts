import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { compileSchema } from './compile-schema';
import { fieldProblems, type FieldProblem } from './field-problems';
import { fieldKey } from './field-sentence';

export type Validation<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      /** The body of a plain 422 answer: field → messages, nested fields with dots. */
      readonly fields: Readonly<Record<string, readonly string[]>>;
      /** The same for problem+json. */
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
    const errors = fieldProblems(compiled.errors(value));
    return { ok: false, fields: byField(errors), errors };
  };
}

function byField(errors: readonly FieldProblem[]): Record<string, string[]> {
  return Object.fromEntries(errors.map(({ pointer, detail }) => [fieldKey(pointer), [detail]]));
}
