import Router from '@koa/router';
import type { Metrics } from '../../metrics';
import type { RequestState } from '../state';

export interface MetricsRouteDeps {
  readonly metrics: Metrics;
}

/** For Prometheus. Without a token: whoever can reach the port may read it, which is what METRICS_PORT is for. */
export function metricsRoutes({ metrics }: MetricsRouteDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get('/metrics', async (ctx) => {
    const { contentType, text } = await metrics.render();
    ctx.set('Content-Type', contentType);
    ctx.body = text;
  });
  return router;
}
