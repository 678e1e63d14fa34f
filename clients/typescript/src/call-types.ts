import type { components, operations } from './api-types';
import type { OPERATIONS } from './operations';

/** The name of an operation, as the API's description has it. */
export type OperationId = keyof typeof OPERATIONS;

/** The shapes of what is sent and answered, by their names in the API's description. */
export type Schemas = components['schemas'];

type Parameters<Id extends OperationId> = operations[Id]['parameters'];

/** Ids in a path may be numbers. */
type PathOf<Id extends OperationId> = {
  readonly [Name in keyof NonNullable<Parameters<Id>['path']>]: string | number;
};

type BodyOf<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Body } }
    ? Body
    : never;

/** Required where the operation cannot do without, absent where it takes none. */
type Given<Name extends string, Where, Value> = [NonNullable<Where>] extends [never]
  ? { readonly [Key in Name]?: never }
  : undefined extends Where
    ? { readonly [Key in Name]?: Value | undefined }
    : { readonly [Key in Name]: Value };

/** What a call is told besides its operation. */
export type CallInput<Id extends OperationId> = Given<'path', Parameters<Id>['path'], PathOf<Id>> &
  Given<'query', Parameters<Id>['query'], NonNullable<Parameters<Id>['query']>> &
  Given<'body', operations[Id]['requestBody'], BodyOf<Id>> &
  CallOptions;

export interface CallOptions {
  /**
   * The `Idempotency-Key`: the same for every repeat of one intention, 1–255 printable ASCII characters without blanks.
   * Made up where absent, so that the repeats of one call are safe; give your own to be safe across restarts of yours.
   */
  readonly key?: string | undefined;
  /** `Prefer`, `X-Request-Id`, `traceparent` and others. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the call, its pauses included. */
  readonly signal?: AbortSignal | undefined;
}

type ResponseBody<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : string
  : undefined;

type Responses<Id extends OperationId> = operations[Id]['responses'];

/** A good answer; `status` tells the forms apart where an operation has several. */
export type Answer<Id extends OperationId> = {
  readonly [Status in keyof Responses<Id>]: {
    readonly status: Status extends number ? Status : number;
    readonly headers: Headers;
    readonly body: ResponseBody<Responses<Id>[Status]>;
  };
}[keyof Responses<Id>];

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/** An operation that answers page by page. */
export type ListOperationId = {
  [Id in OperationId]: Answer<Id> extends { readonly body: Page } ? Id : never;
}[OperationId];

/** One entry of a list. */
export type ListItem<Id extends ListOperationId> =
  Answer<Id> extends { readonly body: { readonly data: readonly (infer Item)[] } } ? Item : never;
