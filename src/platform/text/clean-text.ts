/**
 * Marks that change the direction of text (Unicode's Bidi_Control). One in a receiver's message would rearrange our
 * own sentence around it.
 */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Controls and line ends become blanks, because they usually separate words. */
const CONTROLS_AND_BLANKS = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu;

/** Half of a surrogate pair is not a character, and Postgres would refuse the row. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Makes foreign text safe to show and store: one line in NFC without control or bidi characters, single blanks, none
 * at the ends, cut after `maxLength` code points. Cleaning twice changes nothing.
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
  // No code point is longer than two units, so 2 × count units are always enough.
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('');
}
