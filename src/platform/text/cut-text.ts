import { firstCodePoints } from './clean-text';
import { isLonger } from './is-longer';

let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text that is longer than `length` code points, without trailing blanks; any other text as it is. It
 * ends between grapheme clusters (UAX 29), as an app would show half an emoji, half a flag or a letter without its
 * accent; by code point only if the first cluster alone is too long. Where the clusters of a script are newer than
 * the Unicode version of this Node (Indic conjuncts, 15.1), it ends where that version has an end.
 */
export function cutText(text: string, length: number): string {
  if (!isLonger(text, length)) return text;
  const fitting = firstCodePoints(text, length);
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  // Asked about one place, the segmenter looks only at its surroundings. Whether there is an end before the next code
  // point is decided by it and by what stands before it.
  const near = text.slice(0, fitting.length + 2);
  const end = segmenter.segment(near).containing(fitting.length)?.index ?? 0;
  return (end > 0 ? fitting.slice(0, end) : fitting).trimEnd();
}
