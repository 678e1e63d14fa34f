import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { AppError } from '../../errors';
import { parseJson } from '../parse-json';
import { readBytes, readGzip, requireDeclaredLength } from '../read-bytes';
import type { BodyRule, JsonBody } from '../request-body';
import type { RequestContext, RequestState } from '../state';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

/**
 * Reads the body that the route declares, and lets it go with the answer at the latest: content type 415, declared
 * length 413, then size 413 and what is wrong inside 400. Our own reader, as the bytes themselves are needed (hash of the
 * body, raw JSON that must not be re-rendered).
 */
export function readBody(rule: BodyRule<unknown>): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      // In a function of its own: what it holds would be held while the request waits for its outcome.
      await receive(ctx, rule);
      await next();
    } finally {
      ctx.state.body = undefined;
    }
  };
}

async function receive(ctx: RequestContext, rule: BodyRule<unknown>): Promise<void> {
  switch (rule.kind) {
    case 'none':
    case 'empty':
      ctx.state.bodySha256 = EMPTY_SHA256;
      return;
    case 'signed':
      requireDeclaredLength(ctx.req, rule.maxBytes);
      ctx.state.body = await readBytes(ctx.req, rule.maxBytes);
      return;
    case 'json':
      await receiveJson(ctx, rule);
  }
}

async function receiveJson(ctx: RequestContext, rule: JsonBody<unknown>): Promise<void> {
  // Not `ctx.is`, which knows no type of a request without a body.
  if (!JSON_TYPE.test(ctx.get('content-type'))) {
    throw new AppError('unsupported_media_type', 'The content type must be application/json.');
  }
  const read = decoderFor(ctx.get('content-encoding'));
  requireDeclaredLength(ctx.req, rule.maxBytes);
  const bytes = await read(ctx.req, rule.maxBytes);
  const { value, text } = parseJson(bytes);
  ctx.state.body = { value, text: rule.keepsText ? text : '' };
  ctx.state.bodySha256 = createHash('sha256').update(bytes).digest('hex');
}

function decoderFor(encoding: string): typeof readBytes {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return readBytes;
    case 'gzip':
    case 'x-gzip':
      return readGzip;
    default:
      throw new AppError('unsupported_media_type', 'The content encoding must be gzip or none.');
  }
}
