import type { PostgresType } from 'postgres';

/**
 * How values cross the wire. Two rules, because the library (3.4.9) breaks both and then hands one caller's rows to
 * another:
 *
 * 1. A serialiser never throws. It runs in the middle of a message; an exception there leaves the connection one
 *    answer behind for good. What cannot be encoded becomes text that the server refuses, so the error arrives in
 *    protocol order, at the statement that caused it.
 * 2. A serialiser is idempotent. When a cached plan is invalidated the library binds the already serialised
 *    parameters a second time: `{"a":1}` used to become the JSON string `"{\"a\":1}"`, `true` became `false`.
 */
export const wireTypes: Record<string, PostgresType<unknown>> = {
  text: { to: 25, from: [25, 1043, 2950], parse: String, serialize: text },
  number: { to: 0, from: [21, 23, 26, 700, 701], parse: Number, serialize: text },
  numeric: { to: 1700, from: [1700], parse: String, serialize: text },
  int8: { to: 20, from: [20], parse: safeInteger, serialize: text },
  json: { to: 114, from: [114, 3802], parse: JSON.parse, serialize: json },
  boolean: { to: 16, from: [16], parse: (raw: string) => raw === 't', serialize: boolean },
  date: {
    to: 1184,
    from: [1082, 1114, 1184],
    parse: (raw: string) => new Date(raw),
    serialize: timestamp,
  },
  bytea: {
    to: 17,
    from: [17],
    parse: (raw: string) => Buffer.from(raw.slice(2), 'hex'),
    serialize: bytes,
  },
};

/** A lone NUL, which every type refuses, including `text` and `bytea`. */
const REFUSED_BY_SERVER = '\u0000';

function text(value: unknown): string {
  try {
    return String(value);
  } catch {
    return REFUSED_BY_SERVER; // an object whose toString throws
  }
}

/** A string is taken as finished JSON text, which makes the second pass harmless. */
function json(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? REFUSED_BY_SERVER; // undefined for functions and symbols
  } catch {
    return REFUSED_BY_SERVER; // cycles, bigints, a toJSON that throws
  }
}

function boolean(value: unknown): string {
  if (value === true || value === 't') return 't';
  if (value === false || value === 'f') return 'f';
  return REFUSED_BY_SERVER;
}

function bytes(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Uint8Array)) return REFUSED_BY_SERVER;
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
}

function timestamp(value: unknown): string {
  if (typeof value === 'string') return value;
  const date = value instanceof Date || typeof value === 'number' ? new Date(value) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date.toISOString() : REFUSED_BY_SERVER;
}

/**
 * `count(*)` and sequences as numbers; beyond 2^53 as text, because a rounded id is worse than an unexpected type.
 */
function safeInteger(raw: string): number | string {
  const number = Number(raw);
  return Number.isSafeInteger(number) ? number : raw;
}
