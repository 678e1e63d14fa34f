import { bytesOfTexts } from './bytes-of-texts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/**
 * The members of a JSON object, each value as the exact text that was sent: `1.0` and 2^53 + 1 survive, which
 * JSON.parse would change. If a key is repeated, the last value counts, as in JSON.parse. `json` must already be a
 * valid JSON object (parsed once by the caller): nothing is validated here. One pass without recursion, so neither
 * size nor depth does harm.
 */
export function rawMembers(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const { name, valueStart, end } of placesOfMembers(json)) {
    members.set(name, json.slice(valueStart, end));
  }
  return members;
}

/**
 * Takes these members out of a JSON object: the text of each, as `rawMembers` has it, and that of the object which is
 * left. Costs no memory for what is left, which may be half a million members.
 */
export function takeMembers(
  json: string,
  names: readonly string[],
): { readonly taken: ReadonlyMap<string, string>; readonly rest: string } {
  const taken = new Map<string, string>();
  const runs: string[] = [];
  let runStart = -1;
  let runEnd = -1;
  for (const { name, start, valueStart, end } of placesOfMembers(json)) {
    const isTaken = names.includes(name);
    if (isTaken) taken.set(name, json.slice(valueStart, end));
    else if (runStart === -1) runStart = start;
    if (isTaken && runStart !== -1) {
      runs.push(json.slice(runStart, runEnd));
      runStart = -1;
    }
    runEnd = end;
  }
  if (runStart !== -1) runs.push(json.slice(runStart, runEnd));
  return { taken, rest: `{${runs.join(',')}}` };
}

/** The elements of a JSON array, each as the exact text that was sent; `json` is valid, as above. */
export function rawElements(json: string): readonly string[] {
  const elements: string[] = [];
  let at = afterBlanks(json, json.indexOf('[') + 1);
  while (at < json.length && json.charCodeAt(at) !== CLOSE_BRACKET) {
    const end = endOfValue(json, at);
    elements.push(json.slice(at, end));
    at = afterBlanks(json, end);
    if (json.charCodeAt(at) === COMMA) at = afterBlanks(json, at + 1);
  }
  return elements;
}

/**
 * A JSON object with other values of these members, as texts; undefined leaves one out. The others stay as they were
 * sent, and new ones come last.
 */
export function withMembers(json: string, values: ReadonlyMap<string, string | undefined>): string {
  const kept: string[] = [];
  const left = new Map(values);
  for (const { name, start, end } of placesOfMembers(json)) {
    if (!values.has(name)) kept.push(json.slice(start, end));
    else {
      const value = left.get(name);
      left.delete(name);
      if (value !== undefined) kept.push(`${JSON.stringify(name)}:${value}`);
    }
  }
  for (const [name, value] of left) {
    if (value !== undefined) kept.push(`${JSON.stringify(name)}:${value}`);
  }
  return `{${kept.join(',')}}`;
}

/**
 * The JSON text that these pieces are, one after the other, without the blanks between its tokens, which are what they
 * were. One pass, like the above. No token may be in two pieces.
 */
export function compactJson(...pieces: readonly string[]): Buffer {
  const bytes = bytesOfTexts(pieces);
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = nextBlank(bytes, at);
    if (length !== at) bytes.copyWithin(length, at, end);
    length += end - at;
    at = end;
    while (isBlank(bytes[at] ?? 0)) at += 1;
  }
  // A copy, because a view would be kept, and sent to other threads, with all of its memory.
  return length === bytes.length ? bytes : Buffer.from(bytes.subarray(0, length));
}

/** The position of the first blank outside of strings, or the end. */
function nextBlank(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const code = bytes[at] ?? 0;
    if (isBlank(code)) return at;
    at = code === QUOTE ? afterString(bytes, at) : at + 1;
  }
  return at;
}

function afterString(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(QUOTE, start + 1);
  while (at >= 0 && isEscapedIn(bytes, at)) at = bytes.indexOf(QUOTE, at + 1);
  return at < 0 ? bytes.length : at + 1;
}

function isEscapedIn(bytes: Buffer, quote: number): boolean {
  let at = quote - 1;
  while (bytes[at] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 0;
}

interface PlaceOfMember {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

function* placesOfMembers(json: string): Generator<PlaceOfMember> {
  let at = afterBlanks(json, json.indexOf('{') + 1);
  while (json.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(json, at);
    const valueStart = afterBlanks(json, json.indexOf(':', keyEnd) + 1);
    const end = endOfValue(json, valueStart);
    yield { name: unquote(json.slice(at, keyEnd)), start: at, valueStart, end };
    at = afterBlanks(json, end);
    if (json.charCodeAt(at) === COMMA) at = afterBlanks(json, at + 1);
  }
}

/** A string token's value; most keys contain no escape and need no parser. */
function unquote(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

/** JSON has only these four blanks; `\s` would also skip characters that are syntax errors in JSON. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function afterBlanks(json: string, from: number): number {
  let at = from;
  while (isBlank(json.charCodeAt(at))) at += 1;
  return at;
}

/** The position after the string that opens at `start`. */
function stringEnd(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at + 1;
}

/** An odd number of backslashes before a quote makes it part of the string. */
function isEscaped(json: string, quote: number): boolean {
  let at = quote - 1;
  while (json.charCodeAt(at) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 0;
}

/** The end of the value that starts at `start`, without trailing blanks. */
function endOfValue(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === QUOTE) return stringEnd(json, start);
  return first === OPEN_BRACE || first === OPEN_BRACKET
    ? containerEnd(json, start)
    : scalarEnd(json, start);
}

function containerEnd(json: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(json, at);
      continue;
    }
    at += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (depth === 0) return at;
  }
  return at;
}

function scalarEnd(json: string, start: number): number {
  let at = start;
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isBlank(code))
      return at;
    at += 1;
  }
  return at;
}
