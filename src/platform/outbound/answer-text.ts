import type { OutboundResult } from './types';

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,40})/i;

/**
 * The characters of windows-1252 from 0x80 to 0x9F, by the WHATWG's table, where it differs from Unicode. Node 20 reads
 * these bytes as control characters.
 */
const WINDOWS_1252 =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F' +
  '\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

/**
 * The body of an answer as text: UTF-8, unless a byte order mark or the charset of its content type says otherwise, by
 * the labels of the WHATWG. A byte order mark is left out. `unknownCharset`: the one that nobody knows, so that
 * the bytes were read as UTF-8; null otherwise.
 */
export function readAnswerText({
  headers,
  body,
}: Pick<Extract<OutboundResult, { kind: 'response' }>, 'headers' | 'body'>): {
  readonly text: string;
  readonly unknownCharset: string | null;
} {
  const label = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const decoder = decoderFor(labelOfMark(body) ?? label);
  const text = (decoder ?? new TextDecoder()).decode(body);
  return { text, unknownCharset: decoder === null ? label : null };
}

/** A byte order mark tells more than a label (Encoding Standard). */
function labelOfMark(body: Buffer): string | null {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 'utf-8' : null;
}

function decoderFor(label: string): { decode(body: Buffer): string } | null {
  try {
    const decoder = new TextDecoder(label);
    return decoder.encoding === 'windows-1252' ? { decode: decodeWindows1252 } : decoder;
  } catch {
    return null;
  }
}

function decodeWindows1252(body: Buffer): string {
  return body
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (each) => WINDOWS_1252.charAt(each.charCodeAt(0) - 0x80));
}
