import type { Config } from '../platform/config/config';
import type { Log } from '../platform/observe/log';
import type { Metrics } from './types';
import { createRequestHandler } from '../http/request-handler';
import { LIVE_ROUTE } from './routes/health';
import { METRICS_ROUTE } from './routes/metrics';
import { type HttpServer, startHttpServer } from '../http/server';

/** `/metrics` and `/health/live` on METRICS_PORT, for monitoring only; undefined if that is 0. */
export async function startMetricsServer(
  { HOST, METRICS_PORT }: Pick<Config, 'HOST' | 'METRICS_PORT'>,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Promise<HttpServer | undefined> {
  if (METRICS_PORT === 0) return undefined;
  const handle = createRequestHandler({
    log,
    routes: [METRICS_ROUTE, LIVE_ROUTE],
    deps: { metrics },
    guardsOf: () => [],
  });
  return startHttpServer(handle, { host: HOST, port: METRICS_PORT });
}
