import type { Config } from '../config';
import type { Log } from '../log';
import type { Metrics } from '../metrics';
import { createRequestHandler } from './request-handler';
import { METRICS_ROUTE } from './routes/metrics';
import { type HttpServer, startHttpServer } from './server';

/** `/metrics` alone on METRICS_PORT, which nobody but Prometheus need reach; undefined where that is 0. */
export async function startMetricsServer(
  { HOST, METRICS_PORT }: Pick<Config, 'HOST' | 'METRICS_PORT'>,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Promise<HttpServer | undefined> {
  if (METRICS_PORT === 0) return undefined;
  const handle = createRequestHandler({
    log,
    routes: [METRICS_ROUTE],
    deps: { metrics },
    guardsOf: () => [],
  });
  return startHttpServer(handle, { host: HOST, port: METRICS_PORT });
}
