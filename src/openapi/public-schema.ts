import { type JsonSchema, numericId, type ObjectSchema } from '../contract/answers';
import { DESCRIPTIONS_IN_BODY, FIELD_DESCRIPTIONS } from './field-descriptions';

/** Keywords for our own messages, which are useless to others. */
const PRIVATE_KEYWORDS = new Set(['x-refusal', 'x-hint', 'x-public']);

/** What JSON Schema calls our formats that are a little wider: tools know no others. */
const STANDARD_FORMATS: Readonly<Record<string, string>> = { instant: 'date-time', url: 'uri' };

/**
 * A schema for publication: the one that checks requests, without private keywords, and in a form that generators of
 * clients accept. They drop operations with enums of mixed types or arrays without items, and what they make of a
 * pattern without a type, or of a number that may be text, does not compile or loses digits.
 */
export function publicSchema(schema: JsonSchema): JsonSchema {
  return withoutPrivate(schema) as JsonSchema;
}

function withoutPrivate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrivate);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema;
  if (schema['x-public'] !== undefined) return schema['x-public'];
  if (Array.isArray(schema['enum'])) return publicEnum(schema, schema['enum']);
  const entries = Object.entries(schema).filter(([key]) => !PRIVATE_KEYWORDS.has(key));
  const shown = withPatterns(
    Object.fromEntries(
      entries.map(([key, each]) => [
        key,
        key === 'format' ? standardFormat(each) : withoutPrivate(each),
      ]),
    ),
  );
  if (isNumberOrText(shown)) return numberOrText(shown);
  return shown['type'] === 'array' && shown['items'] === undefined
    ? { ...shown, items: {} }
    : shown;
}

function standardFormat(format: unknown): unknown {
  return STANDARD_FORMATS[String(format)] ?? format;
}

/** Patterns stand alone under `allOf` to have refusals of their own: the last one, the strictest, says it all. */
function withPatterns({ allOf, ...schema }: JsonSchema): JsonSchema {
  if (!Array.isArray(allOf)) return schema;
  const isPattern = allOf.every((each: JsonSchema) => Object.keys(each).join() === 'pattern');
  return isPattern ? { ...schema, ...(allOf.at(-1) as JsonSchema) } : { ...schema, allOf };
}

/** An id or a coordinate. One without a rule for the text is part of a condition. */
function isNumberOrText({ type, minLength, pattern }: JsonSchema): boolean {
  const hasBoth = Array.isArray(type) && type.includes('number') && type.includes('string');
  return hasBoth && (minLength !== undefined || pattern !== undefined);
}

/** A form for each type, with the keywords of that type. Coordinates may be null, and ids are whole numbers. */
function numberOrText(schema: JsonSchema): JsonSchema {
  const { type, minimum, maximum, multipleOf: _, ...rules } = schema;
  const isCoordinate = (type as readonly string[]).includes('null');
  const number = isCoordinate ? { type: ['number', 'null'] } : numericId;
  const range = minimum === undefined ? {} : { minimum, maximum };
  return {
    anyOf: [
      { ...number, ...range },
      { type: 'string', ...rules },
    ],
  };
}

/** One schema for each type among the values. */
function publicEnum({ description }: JsonSchema, values: readonly unknown[]): JsonSchema {
  const numbers = values.filter((value) => typeof value === 'number');
  const texts = values.filter((value) => typeof value === 'string');
  const forms: JsonSchema[] = [
    ...(numbers.length > 0 ? [{ type: 'integer', enum: numbers }] : []),
    ...(texts.length > 0 ? [{ type: 'string', enum: texts }] : []),
    ...(values.includes(null) ? [{ type: 'null' }] : []),
  ];
  const [only, ...others] = forms;
  const form = only && others.length === 0 ? only : { anyOf: forms };
  return description === undefined ? form : { ...form, description };
}

/** The same for a body, with a description of each field. */
export function publicBodySchema(name: string, schema: ObjectSchema): JsonSchema {
  const properties = Object.entries(schema.properties).map(([field, each]) => {
    const description = DESCRIPTIONS_IN_BODY[name]?.[field] ?? fieldDescription(field);
    return [field, { ...publicSchema(each), description }];
  });
  return { ...publicSchema(schema), properties: Object.fromEntries(properties) };
}

/** The same for a query parameter, which is always text, so a number needs no second form. */
export function publicQuerySchema(schema: JsonSchema): JsonSchema {
  const shown = publicSchema(schema);
  const [first] = Array.isArray(shown['anyOf']) ? (shown['anyOf'] as readonly JsonSchema[]) : [];
  return first?.['type'] === 'integer' ? first : shown;
}

/** Throws for a field without a description, which would be a gap in the documentation. */
export function fieldDescription(field: string): string {
  const description = FIELD_DESCRIPTIONS[field];
  if (description === undefined) throw new Error(`the field ${field} has no description`);
  return description;
}
