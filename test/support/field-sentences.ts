import { fieldKey } from '../../src/platform/validation/field-sentence';
import { createValidator } from '../../src/platform/validation/validation';

type Fields = Readonly<Record<string, readonly string[]>>;

/** The messages about each field of a value; `{}` when it passes. */
export function fieldsOf(schema: object, value: unknown): Fields {
  const verdict = createValidator(schema)(value);
  if (verdict.ok) return {};
  return Object.fromEntries(
    verdict.errors.map(({ pointer, detail }) => [fieldKey(pointer), [detail]]),
  );
}

/** The sentences about one field of a body that is right apart from it; undefined leaves the field out. */
export function refusing(schema: object, good: object) {
  return (field: string, value: unknown): readonly string[] => {
    const entries = Object.entries(good).filter(([name]) => name !== field);
    if (value !== undefined) entries.push([field, value]);
    return fieldsOf(schema, Object.fromEntries(entries))[field] ?? [];
  };
}
