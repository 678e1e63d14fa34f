import { DESCRIPTIONS_IN_BODY, FIELD_DESCRIPTIONS } from './field-descriptions';
import type { JsonSchema, ObjectSchema } from './answers';

/** Keywords for our own sentences, which mean nothing to anybody else. */
const PRIVATE_KEYWORDS = new Set(['x-refusal']);

/** A schema as it is shown: the one that requests are checked by, without what is private to the check. */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return withoutPrivate(schema) as JsonSchema;
}

function withoutPrivate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrivate);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !PRIVATE_KEYWORDS.has(key));
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutPrivate(each)]));
}

/** The same for a body, with a sentence on each field. */
export function publicBodySchema(name: string, schema: ObjectSchema): JsonSchema {
  const properties = Object.entries(schema.properties).map(([field, each]) => {
    const description = DESCRIPTIONS_IN_BODY[name]?.[field] ?? fieldDescription(field);
    return [field, { ...publicSchema(each), description }];
  });
  return { ...publicSchema(schema), properties: Object.fromEntries(properties) };
}

/** Throws for a field that nobody has described: that would be a gap in the documentation. */
export function fieldDescription(field: string): string {
  const description = FIELD_DESCRIPTIONS[field];
  if (description === undefined) throw new Error(`the field ${field} has no description`);
  return description;
}
