import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Middleware } from 'koa';
import { AppError } from '../../errors';
import { hasUnstorableText, isTooDeep } from '../json-text';
import { bodyTooLarge, readBody } from '../read-body';
import type { RequestState } from '../state';

const inflate = promisify(gunzip);

const MEGABYTE = 1_048_576;
/** Menus and POS item data. */
export const LARGE_BODY = 10 * MEGABYTE;
/** Everything else. */
export const SMALL_BODY = 256 * 1024;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a JSON object of at most `maxBytes`, before and after gzip decoding, and refuses what could not be kept:
 * content type 415, size 413, then syntax, encoding, depth and unstorable characters 400, in this order.
 * Our own reader, because the bytes themselves are needed (hash of the body, raw JSON that must not be re-rendered).
 */
export function readJson(maxBytes: number): Middleware<RequestState> {
  return async (ctx, next) => {
    // Not `ctx.is`, which knows no type of a request without a body.
    if (!JSON_TYPE.test(ctx.get('content-type'))) {
      throw new AppError('unsupported_media_type', 'The content type must be application/json.');
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
  switch (encoding.trim().toLowerCase()) {
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

async function inflateCapped(bytes: Buffer, maxBytes: number): Promise<Buffer> {
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
