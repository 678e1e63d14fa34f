/**
 * Whether a text has more characters (code points, so an emoji counts once) than `maxLength`. They are counted only
 * where they could differ from UTF-16 units, of which a character has one or two.
 */
export function isLonger(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  if (text.length > 2 * maxLength) return true;
  return Array.from(text).length > maxLength;
}
