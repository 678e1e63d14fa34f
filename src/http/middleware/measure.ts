import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Metrics } from '../../metrics';
import type { RequestState } from '../state';

/** Counts each answer under the route that it came from. */
export function measure(metrics: Metrics): Middleware<RequestState, { matched?: Router['stack'] }> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      // Not `_matchedRoute`: that is the last layer that ran, which for a 401 is the one without a path.
      const route = (ctx.matched ?? []).findLast((layer) => layer.methods.includes(ctx.method));
      metrics.observeRequest(
        {
          method: ctx.method,
          route: typeof route?.path === 'string' ? route.path : 'unmatched',
          status: ctx.status,
        },
        (performance.now() - startedAt) / 1000,
      );
    }
  };
}
