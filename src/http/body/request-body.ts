import { hash } from 'node:crypto';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Config } from '../../platform/config/config';
import type { ObjectSchema } from '../../contract/answers';
import { createValidator, type Validation } from '../../platform/validation/validation';
import { accepted } from '../accepted';
import type { MultipartForm } from './multipart';
import { parseJson } from './parse-json';

const MEGABYTE = 1_048_576;
/** The size limit of a menu and of POS item data, in bytes. */
export const LARGE_BODY = 10 * MEGABYTE;
/** The size limit of all other bodies under /api/v1, in bytes. */
export const SMALL_BODY = 256 * 1024;

/** Settings for reading bodies. */
export type ReadSettings = Pick<Config, 'MENU_EQUAL_QUANTITIES' | 'MENU_ZERO_PRICES'>;

/** A JSON body as `readBody` leaves it. */
export interface JsonReading<Value> {
  /** SHA-256 of the bytes, hex. */
  readonly sha256: string;
  readonly values: number;
  readonly shape: Validation<Value>;
}

interface Checks<Value> {
  /** What the handler gets from `readBody`'s result; throws the 422 of a wrong shape. */
  readonly check: (received: unknown) => Value;
}

/** Nothing is read, and a body is discarded. */
interface NoBody<Value> extends Checks<Value> {
  readonly kind: 'none';
}

/** A request that is complete without a body but may have `{}`; of anything else only its hash is used. */
interface EmptyBody<Value> extends Checks<Value> {
  readonly kind: 'empty';
  readonly maxBytes: number;
  /** A stored body is worked on as if it were sent: the request takes a permit of those with a body. */
  readonly standsForBody?: boolean;
}

/** A JSON object. */
export interface JsonBody<Value> extends Checks<Value> {
  readonly kind: 'json';
  /** The schema's name in the components of `/openapi.json`. */
  readonly name: string;
  /** The schema for readers: the one that checks bodies, or a more detailed one. */
  readonly schema: ObjectSchema;
  /** Size limit in bytes, before and after gzip decoding. */
  readonly maxBytes: number;
  readonly example: unknown;
  /** No other request waits for what this one does: it is read in a thread that lets others go first. */
  readonly isPatient?: boolean;
  /** Reads the bytes; throws the 400 of what is no JSON object. A wrong shape is said later, by `check`. */
  readonly read: (bytes: Buffer, settings: ReadSettings) => JsonReading<Value>;
}

/** The bytes that a signature covers. */
interface SignedBody<Value> extends Checks<Value> {
  readonly kind: 'signed';
  readonly maxBytes: number;
  readonly example: unknown;
}

/** The fields of a form of the console. */
export interface FormBody<Value> extends Checks<Value> {
  readonly kind: 'form';
  /** `multipart` for forms with files. */
  readonly encoding: 'urlencoded' | 'multipart';
  readonly maxBytes: number;
  readonly example: unknown;
}

export type BodyRule<Value> =
  | NoBody<Value>
  | EmptyBody<Value>
  | JsonBody<Value>
  | SignedBody<Value>
  | FormBody<Value>;

/** The size limit of a form, in bytes: a few fields and a token. */
const FORM_BODY = 16 * 1024;

/** A form as browsers send it; missing fields are read as null. */
export const formBody: FormBody<URLSearchParams> = {
  kind: 'form',
  encoding: 'urlencoded',
  maxBytes: FORM_BODY,
  example: {},
  check: (received) => received as URLSearchParams,
};

/** A form with a menu in it. */
export const menuFormBody: FormBody<MultipartForm> = {
  kind: 'form',
  encoding: 'multipart',
  maxBytes: LARGE_BODY + FORM_BODY,
  example: {},
  check: (received) => received as MultipartForm,
};

export const noBody: NoBody<undefined> = { kind: 'none', check: () => undefined };
export const emptyBody: EmptyBody<undefined> = {
  kind: 'empty',
  maxBytes: SMALL_BODY,
  check: () => undefined,
};
export const storedBody: EmptyBody<undefined> = { ...emptyBody, standsForBody: true };

export function signedBody(declaration: {
  readonly maxBytes: number;
  readonly example: unknown;
}): SignedBody<Buffer> {
  return { kind: 'signed', ...declaration, check: (received) => received as Buffer };
}

interface JsonDeclaration<Schema> {
  readonly name: string;
  readonly schema: Schema;
  /** For readers, if it can say more than `schema` checks. */
  readonly described?: ObjectSchema;
  readonly maxBytes: number;
  readonly example: unknown;
  readonly isPatient?: boolean;
}

/** A JSON object that the handler gets parsed. */
export function jsonBody<
  const Schema extends JSONSchema & ObjectSchema,
  Value = FromSchema<Schema>,
>(declaration: JsonDeclaration<Schema>): JsonBody<Value> {
  return reducedJsonBody<Schema, Value, Value>(declaration, ({ value }) => value);
}

/** A body whose shape is right. */
interface RightJson<Value> {
  readonly value: Value;
  readonly text: string;
}

/**
 * A JSON object that the handler gets reduced by `reduce`. For large bodies, which are read in a thread and sent from
 * there: the result should be flat and small, or bytes.
 */
export function reducedJsonBody<const Schema extends JSONSchema & ObjectSchema, Value, Reduced>(
  declaration: JsonDeclaration<Schema>,
  reduce: (body: RightJson<Value>, settings: ReadSettings) => Reduced,
): JsonBody<Reduced> {
  const { schema, described = schema, ...rest } = declaration;
  const validate = createValidator<Schema, Value>(schema);
  return {
    kind: 'json',
    ...rest,
    schema: described,
    read(bytes, settings) {
      const { value, text, values } = parseJson(bytes);
      const checked = validate(value);
      return {
        sha256: hash('sha256', bytes, 'hex'),
        values,
        shape: checked.ok
          ? { ok: true, value: reduce({ value: checked.value, text }, settings) }
          : checked,
      };
    },
    check: (received) => accepted((received as JsonReading<Reduced>).shape),
  };
}
