import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';
import { asciiLower } from '../text/ascii-case';
import { codeOf } from './failures';
import type { OutboundResult } from './types';

type Answer = Extract<OutboundResult, { kind: 'response' }>;
type Decode = (body: Buffer, limit: number) => Promise<Buffer>;

// The end of a stream is not waited for, so that what came of a broken answer is decoded too.
const zlibOptions = (limit: number) => ({
  maxOutputLength: limit,
  finishFlush: constants.Z_SYNC_FLUSH,
});
const [gunzipped, inflated, inflatedRaw, unbrotlied] = [
  promisify(gunzip),
  promisify(inflate),
  promisify(inflateRaw),
  promisify(brotliDecompress),
];

const gzip: Decode = (body, limit) => gunzipped(body, zlibOptions(limit));

const DECODERS = new Map<string, Decode>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  // Some servers leave the zlib header out (RFC 9110 §8.4.1.2).
  [
    'deflate',
    (body, limit) => (hasZlibHeader(body) ? inflated : inflatedRaw)(body, zlibOptions(limit)),
  ],
  [
    'br',
    (body, limit) =>
      unbrotlied(body, {
        maxOutputLength: limit,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
  ],
]);

/** More of them than a proxy behind a proxy needs. */
const MOST_CODINGS = 3;

/**
 * The answer with its body as it was before the peer compressed it, which none was asked to: gzip, deflate and br, at
 * most `limit` bytes in any stage. An answer that cannot be decoded, or only to more, has no body and a `detail`.
 */
export async function decodeContent(
  result: OutboundResult,
  limit: number,
): Promise<OutboundResult> {
  if (result.kind === 'failed' || result.body.length === 0) return result;
  const codings = codingsOf(result);
  if (codings.length === 0) return result;
  const unreadable = (why: string): Answer => ({
    ...result,
    body: Buffer.alloc(0),
    truncated: true,
    detail: `the answer is ${codings.join(', ')} and ${why}`,
  });
  if (codings.length > MOST_CODINGS) return unreadable('was encoded too often');
  let { body } = result;
  for (const coding of codings.toReversed()) {
    const decode = DECODERS.get(coding);
    if (decode === undefined) return unreadable('that is not decoded');
    try {
      body = await decode(body, limit);
    } catch (error) {
      const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE' || result.truncated;
      return unreadable(isTooLarge ? 'too large' : 'cannot be decoded');
    }
  }
  return { ...result, body };
}

function codingsOf({ headers }: Answer): readonly string[] {
  return (headers['content-encoding'] ?? '')
    .split(',')
    .map((each) => asciiLower(each.trim()))
    .filter((each) => each !== '' && each !== 'identity')
    .map((each) => (/^[\w-]{1,20}$/.test(each) ? each : 'unknown'));
}

/** RFC 1950: method 8, and both bytes together a multiple of 31. */
function hasZlibHeader(body: Buffer): boolean {
  return body.length > 1 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}
