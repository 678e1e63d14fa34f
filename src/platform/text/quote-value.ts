/** Controls, line ends, marks that change the direction of text, and halves of surrogate pairs. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/gu;

/**
 * Quotes a caller's value in a sentence exactly as it was sent, so that it can be found in the menu (`C1 ` is not
 * `C1`, and é written in two ways is two ids). Characters that would break or turn the sentence are written as
 * `\u202e`. `cleanText` is for text of apps and receivers, which need not be found.
 */
export function quoteValue(value: string): string {
  return value.replace(
    UNSHOWABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
