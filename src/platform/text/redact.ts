/** A text of others in which these secrets are blacked out: whoever gets a request may repeat it in an answer. */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const spelling of spellings(secret))
      redacted = redacted.replaceAll(spelling, '[redacted]');
  }
  return redacted;
}

/** As it is, in a URL, in a form and in JSON, of PHP too, because an echo repeats the bytes on the wire. */
function spellings(secret: string): ReadonlySet<string> {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice('s='.length),
    inJson,
    inJson.replaceAll('/', String.raw`\/`),
  ]);
}
