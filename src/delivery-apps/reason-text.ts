import { cleanText } from '../platform/text/clean-text';
import { redact } from '../platform/text/redact';

/** The longest sentence of an app in our own answers, in characters. */
const MAX_REASON_CHARACTERS = 300;
/** How much is read before cleaning, because an answer may be a megabyte on one line. */
const MAX_RAW_CHARACTERS = 4_096;
/** How much is searched for secrets: so much that what is shown never reaches the cut, where half of one may stand. */
const MAX_SEARCHED_CHARACTERS = 65_536;

/**
 * An app's own words, made safe to store, log and show: one clean line of at most 300 characters, with secrets
 * blacked out, because an app may echo the refused request.
 */
export function reasonText(text: string, secrets: readonly string[]): string {
  return appText(text, secrets, MAX_REASON_CHARACTERS);
}

/** The same with another length. */
export function appText(text: string, secrets: readonly string[], maxCharacters: number): string {
  const searched = redact(text.slice(0, MAX_SEARCHED_CHARACTERS), secrets);
  return cleanText(searched.slice(0, MAX_RAW_CHARACTERS), maxCharacters);
}
