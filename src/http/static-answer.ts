import { createHash } from 'node:crypto';
import type { RequestContext } from './state';

/** Something that does not change while the process runs. */
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

/** Answers with it, or with 304 to who has it. Asked for anew each time: the next release may bring another. */
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
