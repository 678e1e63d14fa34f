import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { ObjectSchema } from '../openapi/answers';
import { createValidator } from '../validation';
import { accepted } from './guards';

const MEGABYTE = 1_048_576;
/** Most bytes of a menu and of POS item data. */
export const LARGE_BODY = 10 * MEGABYTE;
/** Most bytes of everything else under /api/v1. */
export const SMALL_BODY = 256 * 1024;

/** A JSON body as `readBody` leaves it. */
export interface ReceivedJson {
  readonly value: unknown;
  /** The text of the body; empty unless the rule keeps it. */
  readonly text: string;
}

interface Accepts<Value> {
  /** What the handler gets from what `readBody` has read; throws the 422 of a wrong shape. */
  readonly accept: (received: unknown) => Value;
}

/**
 * `none`: nothing is read, and what comes all the same is thrown away.
 * `empty`: the same for a request that says everything by its path and may have the body `{}` (contract §18.31).
 */
interface NoBody<Value> extends Accepts<Value> {
  readonly kind: 'none' | 'empty';
}

/** A JSON object. */
export interface JsonBody<Value> extends Accepts<Value> {
  readonly kind: 'json';
  /** The schema is found under this name in the components of `/openapi.json`. */
  readonly name: string;
  /** The schema as readers see it: the one that bodies are checked by, or one that says more. */
  readonly schema: ObjectSchema;
  /** Most bytes, before and after gzip decoding. */
  readonly maxBytes: number;
  readonly example: unknown;
  readonly keepsText: boolean;
}

/** Bytes that a signature is about. */
interface SignedBody<Value> extends Accepts<Value> {
  readonly kind: 'signed';
  readonly maxBytes: number;
  readonly example: unknown;
}

export type BodyRule<Value> = NoBody<Value> | JsonBody<Value> | SignedBody<Value>;

export const noBody: NoBody<undefined> = { kind: 'none', accept: () => undefined };
export const emptyBody: NoBody<undefined> = { kind: 'empty', accept: () => undefined };

export function signedBody(declaration: {
  readonly maxBytes: number;
  readonly example: unknown;
}): SignedBody<Buffer> {
  return { kind: 'signed', ...declaration, accept: (received) => received as Buffer };
}

interface JsonDeclaration<Schema> {
  readonly name: string;
  readonly schema: Schema;
  /** For readers, where more can be said than `schema` checks. */
  readonly shown?: ObjectSchema;
  readonly maxBytes: number;
  readonly example: unknown;
}

/** A JSON object that the handler gets parsed. */
export function jsonBody<
  const Schema extends JSONSchema & ObjectSchema,
  Value = FromSchema<Schema>,
>(declaration: JsonDeclaration<Schema>): JsonBody<Value> {
  const { schema, shown = schema, ...rest } = declaration;
  const validate = createValidator<Schema, Value>(schema);
  return {
    kind: 'json',
    ...rest,
    schema: shown,
    keepsText: false,
    accept: (received) => accepted(validate((received as ReceivedJson).value)),
  };
}

/** A JSON object that is checked like any other and that the handler gets as the text in which it came. */
export function jsonTextBody<const Schema extends JSONSchema & ObjectSchema>(
  declaration: JsonDeclaration<Schema>,
): JsonBody<string> {
  const parsed = jsonBody(declaration);
  return {
    ...parsed,
    keepsText: true,
    accept(received) {
      parsed.accept(received);
      return (received as ReceivedJson).text;
    },
  };
}
