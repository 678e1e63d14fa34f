import type { Permission } from '../db/users';

/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 takes. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The schema of a body or of a query: the very object that requests are checked by. */
export interface ObjectSchema extends JsonSchema {
  readonly properties: { readonly [field: string]: JsonSchema };
  readonly required?: readonly string[];
}

export const GROUPS = {
  Menus: 'Send a menu to a delivery app and follow what becomes of it.',
  Stores: 'Places of sale.',
  'Inventory systems': 'Stock software of third parties, and the stores that it is linked to.',
  Webhooks: 'Where an inventory system is told what happens in a POS.',
  POS: 'What a POS tells, and what it is told.',
  Deliveries: 'What became of each webhook.',
  Service: 'For whoever runs the service. No token.',
  Callbacks: 'What delivery apps call.',
} as const;
export type Group = keyof typeof GROUPS;

export type ResponseHeader =
  | 'X-Upload-Id'
  | 'Location'
  | 'Retry-After'
  | 'X-Error-Source'
  | 'WWW-Authenticate';

/** An answer that has its own form: what was asked for, or (`default`, any status) what somebody else answered. */
export interface Success {
  readonly status: 200 | 201 | 202 | 503 | 'default';
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

export interface RequestBody {
  /** Under this name the schema is found in the document's components. */
  readonly name: string;
  readonly schema: ObjectSchema;
  readonly maxBytes: number;
  readonly example: unknown;
}

/** One endpoint as its callers see it. What holds for many of them is not said here but added to the document. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** As OpenAPI writes it: `/menus/uploads/{upload_id}`. */
  readonly path: string;
  readonly group: Group;
  readonly summary: string;
  readonly description?: string;
  /** `token`: a bearer token; `signature`: the delivery app's own; `open`: neither. */
  readonly access: 'token' | 'signature' | 'open';
  readonly permission?: Permission;
  readonly query?: ObjectSchema;
  readonly headers?: readonly 'Prefer'[];
  readonly body?: RequestBody;
  readonly answers: readonly Answer[];
}
