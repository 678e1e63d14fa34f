import type { Middleware } from 'koa';
import type { Bounds } from '../../platform/admission/bound-metrics';
import { AppError } from '../../platform/errors';
import type { RequestState } from '../state';

const MAX_BUCKETS = 10_000;

/** The name of the one policy in the headers. */
const POLICY = '"token"';

/**
 * A token bucket per access token and process: `perSecond` requests a second, bursts of twice that. Per process on
 * purpose: it protects this process, and a shared counter would cost a query per request. Every answer of the API says
 * what is left, as draft-ietf-httpapi-ratelimit-headers has it: `t` is when the whole burst is free again, s.
 */
export function rateLimit(
  perSecond: number,
  bounds: Bounds,
  now: () => number = () => performance.now(),
): Middleware<RequestState> {
  const burst = perSecond * 2;
  const bound = bounds.declare('rate_limit', { limit: burst });
  const policy = `${POLICY};q=${burst};w=2`;
  const buckets = new Map<string, { level: number; at: number }>();
  return async (ctx, next) => {
    const { tokenId, userId } = ctx.state.caller;
    const id = tokenId ?? userId;
    const at = now();
    const bucket = buckets.get(id) ?? { level: burst, at };
    bucket.level = Math.min(burst, bucket.level + ((at - bucket.at) / 1000) * perSecond);
    bucket.at = at;
    // A full bucket equals a new one, so dropping all of them only ever allows more.
    if (buckets.size >= MAX_BUCKETS) buckets.clear();
    buckets.set(id, bucket);
    bound.meet(Math.ceil(burst - bucket.level));
    const isAllowed = bucket.level >= 1;
    if (isAllowed) bucket.level -= 1;
    if (ctx.state.route?.access.kind === 'token') {
      const { level } = bucket;
      const fullInS = Math.ceil((burst - level) / perSecond);
      ctx.set({
        'RateLimit-Policy': policy,
        RateLimit: `${POLICY};r=${Math.floor(level)};t=${fullInS}`,
      });
    }
    if (!isAllowed) {
      bound.hit(userId);
      throw new AppError('rate_limited', 'Too many requests.', {
        headers: { 'Retry-After': String(Math.max(1, Math.ceil((1 - bucket.level) / perSecond))) },
      });
    }
    await next();
  };
}
