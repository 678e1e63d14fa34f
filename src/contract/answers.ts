/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 takes. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of a body or of a query: the very object that requests are checked by. */
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

/** An answer that has its own form: what was asked for, or (`default`, any status) what somebody else answered. */
export interface Success {
  readonly status: 200 | 201 | 202 | 303 | 503 | 'default';
  readonly when?: string;
  /** Anything but JSON has its own media type. */
  readonly mediaType?: string;
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly headers?: readonly ResponseHeader[];
}

/** An answer in the form `{"message": […], "data": null}`, with the sentences that it can hold. */
export interface Refusal {
  readonly status: number;
  readonly when?: string;
  readonly sentences: readonly string[];
  readonly headers?: readonly ResponseHeader[];
  /** What `data` is where it is not null. */
  readonly data?: JsonSchema;
}

/** A 422: field → sentences. */
export interface FieldRefusal {
  readonly status: 422;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

export type Answer = Success | Refusal | FieldRefusal;

/** Every field is always there: what is not known is null. */
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
