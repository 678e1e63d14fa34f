import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors';

export function bodyTooLarge(): AppError {
  return new AppError('body_too_large', 'The request body is too large.');
}

/**
 * The bytes of a request's body. Throws a 413 as soon as there are more than `maxBytes`, or promised to be; what is
 * still on the wire is left to the server, which throws it away.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge();
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
