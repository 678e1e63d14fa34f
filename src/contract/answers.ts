/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 requires. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of a body or of a query: the same object that checks requests. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: { readonly [field: string]: JsonSchema };
  readonly required?: readonly string[];
}

export type ResponseHeader =
  | 'X-Upload-Id'
  | 'ETag'
  | 'Location'
  | 'Retry-After'
  | 'Link'
  | 'X-Error-Source'
  | 'WWW-Authenticate';

/** An answer in its own form: the requested data, or (`default`, any status) another system's answer. */
export interface Success {
  readonly status: 200 | 201 | 202 | 303 | 503 | 'default';
  readonly when?: string;
  /** Set for anything but JSON. */
  readonly mediaType?: string;
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly headers?: readonly ResponseHeader[];
  /** Where to ask what became of it. */
  readonly link?: StatusLink;
}

/** From an answer to the operation that tells the state of what it began. */
export interface StatusLink {
  readonly operation: string;
  /** In the path or the query of the operation; its value is at `pointer` in the body of the answer, or of the request. */
  readonly parameter: string;
  readonly pointer: string;
  readonly of?: 'request' | 'response';
}

/** An answer in the form `{"message": […], "data": null}`, with its possible messages. */
export interface Refusal {
  readonly status: number;
  readonly when?: string;
  readonly sentences: readonly string[];
  readonly headers?: readonly ResponseHeader[];
  /** The schema of `data`; null is always possible. */
  readonly data?: JsonSchema;
}

/** A 422: field → messages. */
export interface FieldRefusal {
  readonly status: 422;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

/** An answer without a body to a caller who has what was asked for. */
export interface Unchanged {
  readonly status: 304;
  readonly when: string;
  readonly headers: readonly ResponseHeader[];
}

export type Answer = Success | Refusal | FieldRefusal | Unchanged;

/**
 * The schema, or null. An inline schema gets both types: many generators have no name for the null of an `anyOf`, and
 * what they make does not compile.
 */
export function orNull(schema: JsonSchema): JsonSchema {
  return typeof schema['type'] === 'string' && schema['enum'] === undefined
    ? { ...schema, type: [schema['type'], 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

/** Of a refusal, as its `message`: 50 sentences at most, and one that says how many there are besides. */
export const ERROR_MESSAGES = { type: 'array', items: { type: 'string' }, maxItems: 51 } as const;

/* Schemas of single values, and of a part that has a name. */
export const text = { type: 'string' } as const;
export const nullableText = { type: ['string', 'null'] } as const;
export const time = { type: 'string', format: 'date-time' } as const;
export const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** An id that is a number. The service takes up to 12 digits, more than the 32 bits that generators make by default. */
export const numericId = { type: 'integer', format: 'int64' } as const;

/** An object in which every field is always present; unknown values are null. */
export function record(
  properties: Readonly<Record<string, JsonSchema>>,
  description?: string,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
    ...(description === undefined ? {} : { description }),
  };
}
