import { cleanText } from '../platform/text/clean-text';

/** As long as one sentence of an app may get in our own answer, in characters. */
const MAX_REASON_CHARACTERS = 300;
/** What is looked at before cleaning: an answer may be a megabyte of one line. */
const MAX_RAW_CHARACTERS = 4_096;

/**
 * An app's own words, fit to be stored, logged and shown: one clean line of 300 characters at most, secrets
 * blacked out, as an app may echo the request that it refuses.
 */
export function reasonText(text: string, secrets: readonly string[]): string {
  return appText(text, secrets, MAX_REASON_CHARACTERS);
}

/** The same of another length. */
export function appText(text: string, secrets: readonly string[], maxCharacters: number): string {
  // Blacked out first: a cut through the middle of a secret would leave half of it.
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

/** As it is, in a URL, in a form and in JSON: an echo repeats what went over the wire. */
function spellings(secret: string): ReadonlySet<string> {
  return new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice('s='.length),
    JSON.stringify(secret).slice(1, -1),
  ]);
}
