import { bytesOfTexts, sizeOfTexts } from '../platform/text/bytes-of-texts';

/** The JSON of a payload, as `JSON.stringify` writes it. */
export interface SerialisedPayload {
  /** Its pieces, one after the other. */
  readonly texts: readonly string[];
  /** Its length in UTF-8. */
  readonly size: number;
}

/**
 * Writes a payload as JSON; undefined if it is larger than `maxBytes`. List entries are written one by one, so a
 * payload that would be gigabytes (its entries share repeated parts, its text does not) is abandoned after `maxBytes`
 * and at most one entry.
 */
export function serialiseUpTo(
  payload: object | null,
  maxBytes: number,
): SerialisedPayload | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const text of piecesOf(payload)) {
    length += text.length;
    // A text never has more characters than bytes, and its length is known; the bytes are counted once, at the end.
    if (length > maxBytes) return undefined;
    texts.push(text);
  }
  const size = sizeOfTexts(texts);
  return size > maxBytes ? undefined : { texts, size };
}

/** Its bytes. */
export function bytesOf({ texts, size }: SerialisedPayload): Buffer {
  return bytesOfTexts(texts, size);
}

function* piecesOf(payload: object | null): Generator<string> {
  if (payload === null) return yield 'null';
  let opening = '{';
  for (const [key, value] of Object.entries(payload)) {
    yield `${opening}${JSON.stringify(key)}:`;
    if (Array.isArray(value)) yield* entriesOf(value);
    else yield JSON.stringify(value);
    opening = ',';
  }
  yield opening === '{' ? '{}' : '}';
}

function* entriesOf(list: readonly unknown[]): Generator<string> {
  let opening = '[';
  for (const entry of list) {
    yield opening + JSON.stringify(entry);
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}
