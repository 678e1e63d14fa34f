/**
 * The relevant tokens of a JSON text: escapes (an escaped quote does not end a string), quotes, and numbers. There is
 * no pattern for a whole string: on an unterminated string it would restart at every quote inside, minutes for an
 * answer of 1 MB, and one of 10 MB exceeds the stack of the regular expression.
 */
const TOKENS = /\\[^]|"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** From 16 digits on, an integer may exceed 2^53, where `JSON.parse` rounds it. */
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * Parses JSON, but returns integers of 16 and more digits as strings: App C's task and item ids have 64 bits and are
 * written as bare digits. Shorter ones stay numbers, so always read an id with `String(id)`. Throws `SyntaxError`
 * like `JSON.parse`.
 */
export function parseWithLongIds(text: string): unknown {
  let isInString = false;
  const quoted = text.replaceAll(TOKENS, (token) => {
    if (token === '"') isInString = !isInString;
    return !isInString && LONG_INTEGER.test(token) ? `"${token}"` : token;
  });
  return JSON.parse(quoted);
}
