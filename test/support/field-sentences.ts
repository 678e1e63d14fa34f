import { createValidator } from '../../src/platform/validation/validation';

type Fields = Readonly<Record<string, readonly string[]>>;

/** The body of the 422 for a value, or `{}` when it passes. */
export function fieldsOf(schema: object, value: unknown): Fields {
  const verdict = createValidator(schema)(value);
  return verdict.ok ? {} : verdict.fields;
}

/** The sentences about one field of a body that is right apart from it; undefined leaves the field out. */
export function refusing(schema: object, good: object) {
  return (field: string, value: unknown): readonly string[] => {
    const entries = Object.entries(good).filter(([name]) => name !== field);
    if (value !== undefined) entries.push([field, value]);
    return fieldsOf(schema, Object.fromEntries(entries))[field] ?? [];
  };
}
