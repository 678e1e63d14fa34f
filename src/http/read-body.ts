import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors';

/** What is still on the wire is not read; closing the connection is the only way to say so. */
export function bodyTooLarge(): AppError {
  return new AppError('body_too_large', 'The request body is too large.', {
    headers: { Connection: 'close' },
  });
}

function cutOff(): AppError {
  return new AppError('malformed_body', 'The request body was cut off.');
}

/** The bytes of a request's body. Throws a 413 as soon as there are more than `maxBytes`, or promised to be. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.pause();
        request.removeAllListeners('data');
        reject(bodyTooLarge());
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks, length)));
    request.once('error', () => reject(cutOff()));
    request.once('aborted', () => reject(cutOff()));
  });
}
