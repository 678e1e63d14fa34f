import { decodedViews, joinedLines, type View } from './decoded-views';

/** From the first unit to behind the last. */
type Range = readonly [number, number];

const REDACTED = '[redacted]';
/** A run of base64, in either alphabet; shorter ones hold no secret. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{6,}/gu;
const BYTES = 3;
const DIGITS = 4;

/**
 * A text of others in which these secrets are blacked out: whoever gets a request may repeat it in an answer, as it is,
 * in a JSON or JS string, in HTML, in a URL or form, or in base64, and wrapped over lines. Each is decoded once: no list
 * of spellings has them all (`\u002B`, `&#43;`, `%2b`). In base64 a secret may stand inside something longer.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const wanted = secrets.filter((secret) => secret !== '');
  if (wanted.length === 0) return text;
  const found: Range[] = [];
  for (const view of decodedViews(text)) {
    findPlain(view, wanted, found);
    const joined = joinedLines(view);
    if (joined !== view) findPlain(joined, wanted, found);
    findInBase64(joined, wanted, found);
  }
  return found.length === 0 ? text : withoutRanges(text, found);
}

function findPlain(view: View, secrets: readonly string[], found: Range[]): void {
  for (const secret of secrets) {
    for (const [from, to] of placesOf(view.text, secret)) found.push(inOriginal(view, from, to));
  }
}

/** Where a run begins is not known (`key/Zm9v…`), so each of its first four digits may be the first of a group. */
function findInBase64(view: View, secrets: readonly string[], found: Range[]): void {
  const bytes = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
  for (const run of view.text.matchAll(BASE64_RUN)) {
    for (let skipped = 0; skipped < DIGITS; skipped++) {
      const decoded = Buffer.from(run[0].slice(skipped), 'base64').toString('latin1');
      for (const [from, to] of bytes.flatMap((secret) => placesInLines(decoded, secret))) {
        const first = run.index + skipped + Math.floor(from / BYTES) * DIGITS;
        const last = run.index + skipped + Math.ceil(to / BYTES) * DIGITS;
        found.push(inOriginal(view, first, Math.min(last, run.index + run[0].length)));
      }
    }
  }
}

/** Also where the text has ends of lines in the secret. */
function placesInLines(text: string, secret: string): readonly Range[] {
  const places = placesOf(text, secret);
  if (places.length > 0 || !text.includes('\n')) return places;
  const joined = joinedLines(decodedViews(text)[0] as View);
  return placesOf(joined.text, secret).map(([from, to]) => inOriginal(joined, from, to));
}

function placesOf(text: string, secret: string): readonly Range[] {
  const places: Range[] = [];
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
    places.push([at, at + secret.length]);
  }
  return places;
}

function inOriginal({ starts, ends }: View, from: number, to: number): Range {
  return [starts[from] as number, ends[to - 1] as number];
}

function withoutRanges(text: string, found: Range[]): string {
  let shown = '';
  let at = 0;
  for (const [from, to] of found.toSorted(([a], [b]) => a - b)) {
    if (from >= at) shown += text.slice(at, from) + REDACTED;
    at = Math.max(at, to);
  }
  return shown + text.slice(at);
}
