import type { Middleware } from 'koa';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

/** The path of a request target, which may be a whole URL (RFC 9112, 3.2.2). */
const TARGET = /^(?:https?:\/\/[^/?#]*)?(\/[^?]*)/i;

/**
 * The longest segment, in characters as sent. No id of ours is longer, and it keeps every path small enough for the
 * index that finds idempotency keys: a row of a Postgres index holds 2,704 bytes.
 */
const MAX_SEGMENT = 255;

/**
 * Refuses every path that could mean two things: an empty or dot segment, an encoded slash or NUL, an encoding that
 * cannot be decoded. It checks the request target itself, because the parser behind `ctx.path` repairs some targets:
 * it drops what follows a `#` and turns backslashes into slashes.
 */
export const exactPath: Middleware<RequestState> = (ctx, next) => {
  const path = TARGET.exec(ctx.req.url ?? '')?.[1];
  if (path === undefined || path !== ctx.path || !hasOneMeaning(path)) {
    throw new AppError('not_found', 'The resource was not found.');
  }
  return next();
};

function hasOneMeaning(path: string): boolean {
  return path === '/' || path.slice(1).split('/').every(isPlain);
}

function isPlain(segment: string): boolean {
  if (segment.length > MAX_SEGMENT) return false;
  const decoded = segment.includes('%') ? decode(segment) : segment;
  return decoded !== '' && decoded !== '.' && decoded !== '..' && !/[/\0]/.test(decoded);
}

/** Empty if it cannot be decoded, because no segment may be empty. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
