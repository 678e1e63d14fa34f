import { loss, type Work } from './difference-work';
import { parseUrl } from '../../src/platform/text/parse-url';

type Text = string | null | undefined;

interface Texts {
  readonly name: string;
  readonly description?: string | null;
}

export function compareTexts({ differ }: Work, sent: Texts, shown: Texts, pointer: string): void {
  const changed = [loss('text_cut', pointer), loss('emoji_removed', pointer)];
  if (sent.name !== shown.name) differ(`the name of ${pointer}`, ...changed);
  if (endsInLetter(sent.name, shown.name) || endsInLetter(sent.description, shown.description)) {
    differ(`a text of ${pointer} ends inside a letter`);
  }
  if ((sent.description ?? '') !== (shown.description ?? '')) {
    const dropped = shown.description ? [] : [loss('description_dropped', pointer)];
    differ(`the description of ${pointer}`, ...changed, ...dropped);
  }
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Whether a text was cut inside what a guest sees as one letter, though not its first. */
function endsInLetter(sent: Text, shown: Text): boolean {
  if (!sent || !shown || sent === shown || !sent.startsWith(shown)) return false;
  const letter = SEGMENTER.segment(sent).containing(shown.length);
  return letter !== undefined && letter.index > 0 && letter.index < shown.length;
}

/** As the WHATWG URL standard writes it, which is no difference; another text as it is. */
export function urlOf(text: string | null | undefined): string | null {
  if (!text) return null;
  return parseUrl(text)?.href ?? text;
}
