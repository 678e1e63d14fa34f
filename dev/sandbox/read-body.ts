import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const inflate = promisify(gunzip);

/** Real delivery apps take menus of 8-10 MB; the limit holds for the bytes sent and for what they inflate to. */
const MAX_BODY_BYTES = 10 * 1_048_576;

export type BodyResult =
  | { readonly kind: 'body'; readonly body: Buffer }
  | { readonly kind: 'refused'; readonly status: 400 | 413 | 415 };

/** Reads a whole request body, inflating gzip. Never throws for its content; throws when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<BodyResult> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Too much is read to its end and thrown away: a client that is still writing would see a reset, not the 413.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) return { kind: 'refused', status: 413 };
  const body = Buffer.concat(chunks);
  switch (request.headers['content-encoding'] ?? 'identity') {
    case 'identity':
      return { kind: 'body', body };
    case 'gzip':
      return inflateBody(body);
    default:
      return { kind: 'refused', status: 415 };
  }
}

async function inflateBody(body: Buffer): Promise<BodyResult> {
  try {
    return { kind: 'body', body: await inflate(body, { maxOutputLength: MAX_BODY_BYTES }) };
  } catch (error) {
    return { kind: 'refused', status: codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 413 : 400 };
  }
}

/** Not instanceof, because a test runner may have its own realm for Node's errors. */
function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
