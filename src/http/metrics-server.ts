import Koa from 'koa';
import type { Config } from '../config';
import type { Log } from '../log';
import type { Metrics } from '../metrics';
import { errors } from './middleware/errors';
import { requestLog } from './middleware/request-log';
import { unmatched } from './middleware/unmatched';
import { metricsRoutes } from './routes/metrics';
import { type HttpServer, startHttpServer } from './server';
import type { RequestState } from './state';

/** `/metrics` alone on METRICS_PORT, which nobody but Prometheus need reach; undefined where that is 0. */
export async function startMetricsServer(
  { HOST, METRICS_PORT }: Pick<Config, 'HOST' | 'METRICS_PORT'>,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): Promise<HttpServer | undefined> {
  if (METRICS_PORT === 0) return undefined;
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(requestLog(log));
  app.use(errors);
  app.use(metricsRoutes({ metrics }).routes());
  app.use(unmatched);
  return startHttpServer(app.callback(), { host: HOST, port: METRICS_PORT });
}
