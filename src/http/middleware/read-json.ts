import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { AppError } from '../../errors';
import { hasUnstorableText, isTooDeep } from '../json-text';
import type { RequestState } from '../state';

const inflate = promisify(gunzip);

export const MEGABYTE = 1_048_576;
export const LARGE_BODY = 10 * MEGABYTE;
export const SMALL_BODY = 256 * 1024;

/**
 * Reads a JSON object of at most `maxBytes`, before and after gzip decoding, and refuses what could not be kept:
 * content type 415, size 413, then syntax, encoding, depth and unstorable characters 400, in this order.
 * Our own reader, because the bytes themselves are needed (hash of the body, raw JSON that must not be re-rendered).
 */
export function readJson(maxBytes: number): Middleware<RequestState> {
  return async (ctx, next) => {
    if (!ctx.is('application/json', '+json')) {
      // `is` is null for a request without a body; that is an empty body if its type is right.
      if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(ctx.get('content-type'))) {
        throw new AppError('unsupported_media_type', 'The content type must be application/json.');
      }
    }
    const bytes = await decode(ctx.req, ctx.get('content-encoding'), maxBytes);
    const { text, value } = parse(bytes);
    ctx.state.json = value;
    ctx.state.bodyText = text;
    ctx.state.bodySha256 = createHash('sha256').update(bytes).digest('hex');
    await next();
  };
}

async function decode(
  request: IncomingMessage,
  encoding: string,
  maxBytes: number,
): Promise<Buffer> {
  switch (encoding.toLowerCase()) {
    case '':
    case 'identity':
      return readBody(request, maxBytes);
    case 'gzip':
    case 'x-gzip':
      return inflateCapped(await readBody(request, maxBytes), maxBytes);
    default:
      throw new AppError('unsupported_media_type', 'The content encoding must be gzip or none.');
  }
}

function tooLarge(): AppError {
  // What is still on the wire is not read; closing is the only way to say so.
  return new AppError('body_too_large', 'The request body is too large.', {
    headers: { Connection: 'close' },
  });
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.pause();
        request.removeAllListeners('data');
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks, length)));
    request.once('error', () =>
      reject(new AppError('malformed_body', 'The request body was cut off.')),
    );
    request.once('aborted', () =>
      reject(new AppError('malformed_body', 'The request body was cut off.')),
    );
  });
}

async function inflateCapped(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge();
    }
    throw new AppError('malformed_body', 'The request body is not valid gzip.');
  }
}

function bad(sentence: string): AppError {
  return new AppError('malformed_body', sentence);
}

function parse(bytes: Buffer): { text: string; value: object } {
  if (!isUtf8(bytes)) throw bad('The request body is not valid UTF-8.');
  const decoded = bytes.toString('utf8');
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  if (text.trim() === '') throw bad('The request body is empty.');
  if (isTooDeep(bytes)) throw bad('The request body is nested too deeply.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw bad('The request body is not valid JSON.');
  }
  if (hasUnstorableText(text)) {
    throw bad('The request body contains characters that are not allowed.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw bad('The request body must be an object.');
  }
  return { text, value };
}
