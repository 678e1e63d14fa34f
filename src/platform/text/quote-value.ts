/** Controls, line ends, marks that turn the direction of the text around them, and halves of surrogate pairs. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Surrogate}]/gu;

/**
 * A value of a caller as it is quoted in a sentence: as it was sent, so that it can be found in the menu (`C1 ` is not
 * `C1`, and é written in two ways is two ids). What would break or turn the sentence is written as `\u202e`. Cleaning
 * (`cleanText`) is for the words of apps and receivers, which are to be read and not to be found.
 */
export function quoteValue(value: string): string {
  return value.replace(
    UNSHOWABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
