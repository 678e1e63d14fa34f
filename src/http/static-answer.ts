import { createHash } from 'node:crypto';
import type { Unchanged } from '../contract/answers';
import type { RequestContext } from './state';

/** Content that does not change while the process runs. */
export interface StaticContent {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

export function staticContent(mediaType: string, content: Buffer | string): StaticContent {
  const bytes = Buffer.from(content);
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return { mediaType, bytes, etag: `"${digest.slice(0, 22)}"` };
}

/** The answer of `answerStatic` to a client that has it. */
export const UNCHANGED: Unchanged = {
  status: 304,
  when: 'You have it: `If-None-Match` names its `ETag`.',
  headers: ['ETag'],
};

/**
 * Answers with it, or with 304 to a client that has it. Clients must revalidate every time, because the next release
 * may change it.
 */
export function answerStatic(ctx: RequestContext, { mediaType, bytes, etag }: StaticContent): void {
  ctx.set({
    ETag: etag,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = mediaType;
  ctx.body = bytes;
}
