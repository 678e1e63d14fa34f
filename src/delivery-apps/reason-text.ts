import { cleanText } from '../platform/text/clean-text';

/** The longest sentence of an app in our own answers, in characters. */
const MAX_REASON_CHARACTERS = 300;
/** How much is read before cleaning, because an answer may be a megabyte on one line. */
const MAX_RAW_CHARACTERS = 4_096;

/**
 * An app's own words, made safe to store, log and show: one clean line of at most 300 characters, with secrets
 * blacked out, because an app may echo the refused request.
 */
export function reasonText(text: string, secrets: readonly string[]): string {
  return appText(text, secrets, MAX_REASON_CHARACTERS);
}

/** The same with another length. */
export function appText(text: string, secrets: readonly string[], maxCharacters: number): string {
  // Secrets are blacked out first, because a cut could leave half of one.
  return cleanText(redact(text, secrets).slice(0, MAX_RAW_CHARACTERS), maxCharacters);
}

function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const spelling of spellings(secret))
      redacted = redacted.replaceAll(spelling, '[redacted]');
  }
  return redacted;
}

/** As it is, in a URL, in a form and in JSON, because an echo repeats the bytes on the wire. */
function spellings(secret: string): ReadonlySet<string> {
  return new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice('s='.length),
    JSON.stringify(secret).slice(1, -1),
  ]);
}
