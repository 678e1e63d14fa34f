import { BOUNDS } from '../../platform/admission/bounds';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The deepest nesting and the most values in a body. */
export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
}

/** A parsed value takes up to a hundred bytes of heap, however short its text: 10 KB of gzip made 224 MB. */
export const MAX_VALUES = BOUNDS.body_values.limit;
const BODY_LIMITS: JsonLimits = { maxDepth: 64, maxValues: MAX_VALUES };

/**
 * Scans a JSON text before it is parsed: returns the number of its values (each member and each element; a container
 * counts as one plus its content, the root does not count), or the limit that it breaks first. Containers nest at
 * most 64 deep; the root is 1. Linear in the bytes, without allocation. Its result for invalid JSON is meaningless,
 * but parsing follows.
 */
export function countValues(
  json: Buffer,
  { maxDepth, maxValues }: JsonLimits = BODY_LIMITS,
): number | 'too_deep' | 'too_many' {
  let depth = 0;
  let values = 0;
  // Whether only blanks have followed the opening bracket: an empty container has no first value.
  let opened = false;
  for (let i = 0; i < json.length; i++) {
    // In range, so never 0; a union with undefined would require another case.
    switch (json[i] ?? 0) {
      case QUOTE:
        opened = false;
        i = endOfString(json, i + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return 'too_deep';
        opened = true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        if (!opened) values++;
        opened = false;
        break;
      case 0x2c: // ,
        opened = false;
        // The value after the last comma is counted where its container ends.
        if (++values >= maxValues) return 'too_many';
        break;
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        break;
      default:
        opened = false;
    }
  }
  return values > maxValues ? 'too_many' : values;
}

/**
 * The index of the quote that closes the string starting at `from`. Uses indexOf, because most text has no escapes.
 */
function endOfString(json: Buffer, from: number): number {
  for (
    let quote = json.indexOf(QUOTE, from);
    quote !== -1;
    quote = json.indexOf(QUOTE, quote + 1)
  ) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === BACKSLASH && quote - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return json.length;
}

/**
 * Whether a JSON text contains a NUL character or a lone surrogate, neither of which Postgres can store. Both can
 * only be written as escapes (raw ones are invalid JSON or UTF-8), so text without escapes is quickly done.
 */
export function hasUnstorableText(json: string): boolean {
  if (!/\\u(?:0000|[dD][89a-fA-F])/.test(json)) return false;
  const escape = /\\(?:u([0-9a-fA-F]{4})|.)/g;
  let high = -1;
  for (let match = escape.exec(json); match; match = escape.exec(json)) {
    const unit = match[1] === undefined ? -1 : Number.parseInt(match[1], 16);
    if (unit === 0) return true;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    // A high surrogate must be followed by its low one, and a low one preceded by its high one.
    const isSecondHalf = high !== -1;
    if (isSecondHalf ? !isLow || match.index !== high : isLow) return true;
    high = unit >= 0xd800 && unit <= 0xdbff ? escape.lastIndex : -1;
  }
  return high !== -1;
}
