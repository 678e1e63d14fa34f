/**
 * What matters in a JSON text: escapes (an escaped quote ends no string), quotes, and numbers. No pattern for a whole
 * string: on one that never ends it would start anew at every quote inside, minutes for an answer of 1 MB, and one of
 * 10 MB is more than the regular expression's stack holds.
 */
const TOKENS = /\\[^]|"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** From 16 digits on an integer may lie above 2^53, where `JSON.parse` rounds it to a neighbour. */
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * Parses JSON, but gives integers of 16 and more digits as strings: App C's task and item ids have 64 bits and are
 * written as bare digits. Shorter ones stay numbers, so an id is always read with `String(id)`. Throws `SyntaxError` as
 * `JSON.parse` does.
 */
export function parseWithLongIds(text: string): unknown {
  let isInString = false;
  const quoted = text.replaceAll(TOKENS, (token) => {
    if (token === '"') isInString = !isInString;
    return !isInString && LONG_INTEGER.test(token) ? `"${token}"` : token;
  });
  return JSON.parse(quoted);
}
