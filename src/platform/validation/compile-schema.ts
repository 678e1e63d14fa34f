import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { FORMATS } from './formats';
import { FIELD_PROBLEM_CODES } from './field-sentence';

const STRICT = {
  strict: true,
  // A field may be sent as a number or as digits, which is a union; that is this API's choice, not a slip.
  allowUnionTypes: true,
  // `constructor` and the like are no fields of a body, though every object has them.
  ownProperties: true,
  formats: FORMATS,
  keywords: [
    { keyword: 'x-refusal', metaSchema: { enum: FIELD_PROBLEM_CODES } },
    // How a field is described to callers, where its check says it in a roundabout way.
    { keyword: 'x-public', metaSchema: { type: 'object' } },
  ],
};

/** Stops at the first error: what nearly every request needs. */
const quick = new Ajv2020(STRICT);
/** Finds them all, with the schema that each comes from. */
const thorough = new Ajv2020({ ...STRICT, allErrors: true, verbose: true });

export interface CompiledSchema {
  readonly accepts: (value: unknown) => boolean;
  readonly errors: (value: unknown) => readonly ErrorObject[];
}

/**
 * Compiles a schema once, at start. The thorough half costs the same for every size of body, as no schema of
 * ours looks into a list; so the answer is complete for a menu of 10 MB too.
 */
export function compileSchema(schema: object): CompiledSchema {
  const accepts = quick.compile(schema);
  const findErrors = thorough.compile(schema);
  return {
    accepts: (value) => accepts(value),
    errors: (value) => (findErrors(value) ? [] : (findErrors.errors ?? [])),
  };
}
