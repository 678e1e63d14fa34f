import { isBlank } from '../../platform/text/blank';

/**
 * One emoji: pictures joined by U+200D, each with its colours and variations, a flag, or the frame of a keycap. It
 * excludes ©, ® and ™, which Unicode counts among the pictures but people write in names.
 */
const PICTURE = String.raw`(?:(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator})`;
const TONES = String.raw`[\p{Emoji_Modifier}\u{FE0F}\u{20E3}\u{E0020}-\u{E007F}]`;
const EMOJI = new RegExp(`${PICTURE}${TONES}*(?:\\u{200D}${PICTURE}${TONES}*)*|${TONES}`, 'gu');

/**
 * The text without its emoji, and without the leading, trailing and double blanks that they leave; empty if nothing is
 * left that can be seen.
 */
export function withoutEmoji(text: string): string {
  const plain = text.replace(EMOJI, '');
  if (plain === text) return text;
  return isBlank(plain) ? '' : plain.replace(/ {2,}/g, ' ').trim();
}
