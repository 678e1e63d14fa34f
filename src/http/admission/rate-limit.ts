import type { Middleware } from 'koa';
import type { Bounds } from '../../platform/admission/bound-metrics';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

const MAX_BUCKETS = 10_000;

/**
 * A token bucket per access token and process: `perSecond` requests a second, bursts of twice that. Per process on
 * purpose: it protects this process, and a shared counter would cost a query per request.
 */
export function rateLimit(
  perSecond: number,
  bounds: Bounds,
  now: () => number = () => performance.now(),
): Middleware<RequestState> {
  const burst = perSecond * 2;
  const bound = bounds.declare('rate_limit', { limit: burst });
  const buckets = new Map<string, { level: number; at: number }>();
  return async (ctx, next) => {
    const id = ctx.state.caller.tokenId;
    const at = now();
    const bucket = buckets.get(id) ?? { level: burst, at };
    bucket.level = Math.min(burst, bucket.level + ((at - bucket.at) / 1000) * perSecond);
    bucket.at = at;
    // A full bucket equals a new one, so dropping all of them only ever allows more.
    if (buckets.size >= MAX_BUCKETS) buckets.clear();
    buckets.set(id, bucket);
    bound.meet(Math.ceil(burst - bucket.level));
    if (bucket.level < 1) {
      bound.hit(ctx.state.caller.userId);
      throw new AppError('rate_limited', 'Too many requests.', {
        headers: { 'Retry-After': String(Math.max(1, Math.ceil((1 - bucket.level) / perSecond))) },
      });
    }
    bucket.level -= 1;
    await next();
  };
}
