/**
 * One emoji: pictures joined to one by U+200D, each with its colours and variations, a flag, or the frame of a keycap. The
 * three signs of ordinary text that Unicode counts among the pictures stay: people write them in names.
 */
const PICTURE = String.raw`(?:(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator})`;
const TONES = String.raw`[\p{Emoji_Modifier}\u{FE0F}\u{20E3}\u{E0020}-\u{E007F}]`;
const EMOJI = new RegExp(`${PICTURE}${TONES}*(?:\\u{200D}${PICTURE}${TONES}*)*|${TONES}`, 'gu');

/** The text without its emoji, and without the blanks that they leave at its ends and side by side. */
export function withoutEmoji(text: string): string {
  const plain = text.replace(EMOJI, '');
  return plain === text ? text : plain.replace(/ {2,}/g, ' ').trim();
}
