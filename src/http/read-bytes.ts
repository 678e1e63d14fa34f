import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../errors';

const inflate = promisify(gunzip);

function bodyTooLarge(): AppError {
  return new AppError('body_too_large', 'The request body is too large.');
}

/** Throws the 413 of a body that is promised to be larger than `maxBytes`. */
export function requireDeclaredLength(request: IncomingMessage, maxBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
}

/**
 * The bytes of a request's body. Throws a 413 as soon as there are more than `maxBytes`; what is still on the wire is
 * left to the server, which throws it away.
 */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data');
      reject(bodyTooLarge());
    });
    request.once('end', () => resolve(Buffer.concat(chunks, length)));
    // Nobody will read the answer, but the line in the log should not speak of a defect.
    const cutOff = () => reject(new AppError('malformed_body', 'The request body was cut off.'));
    request.once('error', cutOff);
    request.once('close', cutOff);
  });
}

/** The same of a body in gzip; `maxBytes` counts before and after decoding. */
export async function readGzip(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const bytes = await readBytes(request, maxBytes);
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (isTooLarge(error)) throw bodyTooLarge();
    throw new AppError('malformed_body', 'The request body is not valid gzip.');
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_BUFFER_TOO_LARGE'
  );
}
