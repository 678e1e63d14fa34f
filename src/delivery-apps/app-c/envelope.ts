import { isRecord } from '../is-record';
import { parseWithLongIds } from './long-ids';
import { type ErrnoMeaning, meaningOfErrno } from './rules';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The envelope of every answer of App C, with HTTP 200 even for errors. */
export interface Envelope {
  readonly errno: number;
  readonly meaning: ErrnoMeaning;
  readonly errmsg: string;
  /** Empty if the app sends none. */
  readonly data: JsonObject;
}

/** Reads an answer; `undefined` if it has no envelope, so that a missing `errno` never counts as a success. */
export function readEnvelope(text: string): Envelope | undefined {
  const answer = readJson(text);
  if (!isRecord(answer) || typeof answer['errno'] !== 'number') return undefined;
  const { errno, errmsg, data } = answer;
  return {
    errno,
    meaning: meaningOfErrno(errno, textOf(errmsg)),
    errmsg: textOf(errmsg),
    data: isRecord(data) ? data : {},
  };
}

/** JSON with its 64-bit ids intact; `undefined` for anything else, such as a proxy's page or a truncated answer. */
export function readJson(text: string): unknown {
  try {
    return parseWithLongIds(text);
  } catch {
    return undefined;
  }
}

/** The objects among the elements of `value`; none if it is not an array. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * A valid id, as our API takes them: Postgres can store neither a NUL nor half of a character, and an index has no room
 * for long ones.
 */
const ID = /^[^\0\p{Cs}]{1,255}$/u;

/** An id as text, whether it was short (a number) or long; `undefined` for anything that is not a valid id. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return ID.test(value) ? value : undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A text from the app, or `''`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
