import { Readable } from 'node:stream';
import { freeMemory } from '../platform/threads/free-memory';
import type { RequestContext } from './state';
import { whenClosed } from './when-closed';

type MediaType = 'application/json' | 'text/plain' | 'text/csv';

/**
 * Answers with pieces, in their order; joining them would take the same memory again. The memory of those that are
 * bytes is freed when the socket has taken all of them, or is closed: nothing else may use them.
 */
export function answerPieces(
  ctx: RequestContext,
  mediaType: MediaType,
  pieces: readonly (string | Uint8Array)[],
): void {
  whenClosed(ctx.res, () => freeMemory(pieces.filter((piece) => typeof piece !== 'string')));
  answerShared(ctx, mediaType, pieces);
}

/** The same with bytes that others may use too: they are left as they are. */
export function answerShared(
  ctx: RequestContext,
  mediaType: MediaType,
  pieces: readonly (string | Uint8Array)[],
): void {
  const parts = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  ctx.type = `${mediaType}; charset=utf-8`;
  ctx.body = Readable.from(parts, { objectMode: false });
  ctx.length = parts.reduce((sum, { length }) => sum + length, 0);
}
