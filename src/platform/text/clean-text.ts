/**
 * Marks that turn the direction of the text around them (Unicode's Bidi_Control). One in a receiver's message
 * would rearrange the sentence of ours in which it is shown.
 */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Controls and line ends become blanks, as they stand between words more often than within one. */
const CONTROLS_AND_BLANKS = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu;

/** A half of a surrogate pair is not a character; Postgres would refuse the row that holds it. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Foreign text made fit to be shown and stored: one line in NFC without control or bidi characters, blanks
 * single and none at the ends, cut after `maxLength` code points. Cleaning twice changes nothing.
 */
export function cleanText(text: string, maxLength: number): string {
  const line = text
    .replace(LONE_SURROGATES, '\uFFFD')
    .replace(BIDI_CONTROLS, '')
    .replace(CONTROLS_AND_BLANKS, ' ')
    .normalize('NFC')
    .trim();
  return firstCodePoints(line, maxLength).trimEnd();
}

/** Cuts by code point: `slice` alone could leave half an emoji behind. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  // No code point is longer than two units, so nothing past 2 × count is ever needed.
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}
