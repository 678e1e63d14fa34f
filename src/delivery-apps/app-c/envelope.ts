import { isRecord } from '../is-record';
import { parseWithLongIds } from './long-ids';
import { type ErrnoMeaning, meaningOfErrno } from './rules';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What every answer of App C is wrapped in, with HTTP 200 for errors too. */
export interface Envelope {
  readonly errno: number;
  readonly meaning: ErrnoMeaning;
  readonly errmsg: string;
  /** Empty when the app sends none. */
  readonly data: JsonObject;
}

/** Reads an answer; `undefined` when it is no envelope, so that nobody takes a missing `errno` for success. */
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

/** JSON with its 64-bit ids intact; `undefined` for what is no JSON, such as a proxy's page or a cut answer. */
export function readJson(text: string): unknown {
  try {
    return parseWithLongIds(text);
  } catch {
    return undefined;
  }
}

/** The objects among the elements of `value`; none if it is no array. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** What can be an id: Postgres keeps neither a NUL nor half of a character, and an index has no room for long ones. */
const ID = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** An id as text, whether it was short (a number) or long; `undefined` for one that cannot be kept and anything else. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return ID.test(value) ? value : undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A text of the app, or `''`. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
