import type { Middleware } from 'koa';
import type { Metrics } from '../../metrics';
import { routerPath } from '../router';
import type { RequestState } from '../state';

/** Counts each answer under the route that it came from. */
export function measure(metrics: Metrics): Middleware<RequestState> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const { route } = ctx.state;
      metrics.observeRequest(
        {
          method: ctx.method,
          route: route ? routerPath(route) : 'unmatched',
          status: ctx.status,
        },
        (performance.now() - startedAt) / 1000,
      );
    }
  };
}
