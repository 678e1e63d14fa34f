import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { RequestState } from '../state';

const EMPTY_SHA256 = createHash('sha256').digest('hex');

/** In place of `readJson` where a POST says everything by its path: whatever body comes with it is not read. */
export const noBody: Middleware<RequestState> = async (ctx, next) => {
  ctx.state.json = {};
  ctx.state.bodyText = '';
  ctx.state.bodySha256 = EMPTY_SHA256;
  await next();
};
