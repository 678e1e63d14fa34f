const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Most containers in each other, and most values, of a body. */
export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
}

/** A parsed value takes up to a hundred bytes of heap, whatever it takes in the text: 10 KB of gzip made 224 MB. */
export const MAX_VALUES = 500_000;
const BODY_LIMITS: JsonLimits = { maxDepth: 64, maxValues: MAX_VALUES };

/**
 * Walks over a JSON text before it is parsed: how many values it has (each member and each element; a container counts
 * as one and its content counts too, the root does not), or which limit it breaks first. Containers nest at most 64
 * deep, the root is 1. Linear in the bytes, and it keeps nothing. Of text that is not JSON it says something as well,
 * which is no matter: parsing comes next.
 */
export function countValues(
  json: Buffer,
  { maxDepth, maxValues }: JsonLimits = BODY_LIMITS,
): number | 'too_deep' | 'too_many' {
  let depth = 0;
  let values = 0;
  // Whether nothing but blanks has come since the container was opened: an empty one has no first value.
  let opened = false;
  for (let i = 0; i < json.length; i++) {
    // In range, so never 0; a union with undefined would make the switch ask for one more case.
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
        // The value behind the last comma is counted where its container ends.
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

/** The index of the quote that closes the string starting at `from`. Jumps by indexOf: most text has no escapes. */
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
 * Whether a JSON text stands for a NUL character or a lone surrogate, neither of which Postgres can keep.
 * Both can only be written as escapes (raw ones are not JSON, or not UTF-8), so text without them is done at once.
 */
export function hasUnstorableText(json: string): boolean {
  if (!/\\u(?:0000|[dD][89a-fA-F])/.test(json)) return false;
  const escape = /\\(?:u([0-9a-fA-F]{4})|.)/g;
  let high = -1;
  for (let match = escape.exec(json); match; match = escape.exec(json)) {
    const unit = match[1] === undefined ? -1 : Number.parseInt(match[1], 16);
    if (unit === 0) return true;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    // A high one needs its low one right behind it, and a low one its high one.
    const isSecondHalf = high !== -1;
    if (isSecondHalf ? !isLow || match.index !== high : isLow) return true;
    high = unit >= 0xd800 && unit <= 0xdbff ? escape.lastIndex : -1;
  }
  return high !== -1;
}
