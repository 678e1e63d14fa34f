import type { Middleware } from 'koa';
import { type AnswerSource, sourceOf } from '../error-source';
import { routerPath } from '../router';
import type { RequestState } from '../state';

/** Metrics of answered requests. */
export interface RequestMetrics {
  /** One answered request; `route` is the declared path, so that ids do not become labels. */
  observeRequest(
    labels: { method: string; route: string; status: number },
    durationSeconds: number,
    source: AnswerSource,
  ): void;
}

/** Counts each answer under the route that it came from. */
export function measure(metrics: RequestMetrics): Middleware<RequestState> {
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
        sourceOf(ctx),
      );
    }
  };
}
