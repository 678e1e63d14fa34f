/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 requires. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of a body or of a query: the same object that checks requests. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: { readonly [field: string]: JsonSchema };
  readonly required?: readonly string[];
}

export type ResponseHeader =
  | 'X-Upload-Id'
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
}

/** An answer in the form `{"message": […], "data": null}`, with its possible messages. */
export interface Refusal {
  readonly status: number;
  readonly when?: string;
  readonly sentences: readonly string[];
  readonly headers?: readonly ResponseHeader[];
  /** The schema of `data` if it is not null. */
  readonly data?: JsonSchema;
}

/** A 422: field → messages. */
export interface FieldRefusal {
  readonly status: 422;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export type Answer = Success | Refusal | FieldRefusal;

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
