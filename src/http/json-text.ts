const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_DEPTH = 64;

/** Whether containers nest deeper than 64 (the root is 1). Works on bytes, before anything is parsed. */
export function isTooDeep(json: Buffer, maxDepth = MAX_DEPTH): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    // In range, so never 0; a union with undefined would make the switch ask for one more case.
    switch (json[i] ?? 0) {
      case QUOTE:
        i = endOfString(json, i + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      default:
    }
  }
  return false;
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
