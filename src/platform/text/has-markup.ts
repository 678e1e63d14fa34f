import { REFERENCE_NAMES, UNENDED_REFERENCE_NAMES } from './character-references';

/** What a browser takes for a tag, whatever its name: `<b>`, `</p>`, `<br/>`, `<a href="…">`; not `<3` or `a < b`. */
const TAG = /<\/?[a-z][^<>]*>/i;
/** `&amp;`, `&#8377;`, `&#x20B9;`, and the same without `;` where no letter or digit follows. */
const REFERENCE = /&(?:#(?:\d+|x[\da-f]+)|([a-z][a-z\d]*))(;?)/gi;

/**
 * Whether a text has an HTML tag or a character reference that HTML names, or a numeric one. Delivery apps show texts as
 * they are, so guests would read it.
 */
export function hasMarkup(text: string): boolean {
  if (text.includes('<') && TAG.test(text)) return true;
  if (!text.includes('&')) return false;
  for (const [, name, end] of text.matchAll(REFERENCE)) {
    if (name === undefined) return true;
    if ((end === '' ? UNENDED_REFERENCE_NAMES : REFERENCE_NAMES).has(name)) return true;
  }
  return false;
}
