import Router from '@koa/router';
import Koa from 'koa';
import type { Config } from '../config';
import type { Log } from '../log';
import { authenticate } from './middleware/authenticate';
import { errors } from './middleware/errors';
import { measure } from './middleware/measure';
import { rateLimit } from './middleware/rate-limit';
import { requestLog } from './middleware/request-log';
import { unmatched } from './middleware/unmatched';
import { appCallbackRoutes } from './routes/app-callbacks';
import { deliveryResendRoutes, type DeliveryResendDeps } from './routes/delivery-resends';
import { deliveryRoutes } from './routes/deliveries';
import { docsRoutes } from './routes/docs';
import { healthRoutes, type HealthDeps } from './routes/health';
import { inventorySystemRoutes } from './routes/inventory-systems';
import { menuUploadRoutes, type MenuUploadDeps } from './routes/menu-uploads';
import { metricsRoutes, type MetricsRouteDeps } from './routes/metrics';
import { openApiRoutes } from './routes/openapi';
import { posEventRoutes, type PosEventDeps } from './routes/pos-events';
import { posStockUpdateRoutes, type PosStockUpdateDeps } from './routes/pos-stock-updates';
import { storeLinkRoutes } from './routes/store-links';
import { storeRoutes, type StoreDeps } from './routes/stores';
import { uploadStatusRoutes, type UploadStatusDeps } from './routes/upload-status';
import { webhookSecretRoutes } from './routes/webhook-secrets';
import { webhookTestRoutes, type WebhookTestDeps } from './routes/webhook-tests';
import { webhookRoutes, type WebhookDeps } from './routes/webhooks';
import type { RequestState } from './state';

export type AppDeps = MenuUploadDeps &
  UploadStatusDeps &
  StoreDeps &
  WebhookDeps &
  WebhookTestDeps &
  PosEventDeps &
  PosStockUpdateDeps &
  DeliveryResendDeps &
  HealthDeps &
  MetricsRouteDeps & {
    readonly log: Log;
    readonly settings: Pick<Config, 'RATE_LIMIT_PER_SECOND' | 'METRICS_PORT'>;
  };

/** The whole HTTP side as a Koa application; listening is somebody else's business. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const app = new Koa<RequestState>();
  // Our own wide log line says it; Koa would print every 5xx once more, with its stack, to stderr.
  app.silent = true;
  app.use(requestLog(deps.log));
  app.use(measure(deps.metrics));
  app.use(errors);
  app.use(healthRoutes(deps).routes());
  if (deps.settings.METRICS_PORT === 0) app.use(metricsRoutes(deps).routes());
  app.use(openApiRoutes().routes());
  app.use(docsRoutes().routes());
  app.use(appCallbackRoutes(deps).routes());
  app.use(apiRoutes(deps).routes());
  app.use(unmatched);
  return app;
}

/** Everything under /api/v1: first who it is, then how often, then what the route itself asks for. */
function apiRoutes(deps: AppDeps): Router<RequestState> {
  const api = new Router<RequestState>({ prefix: '/api/v1' });
  // Once, and not with each group: the router runs what is used without a path for every group's requests.
  api.use(authenticate(deps.sql), rateLimit(deps.settings.RATE_LIMIT_PER_SECOND));
  const groups = [
    menuUploadRoutes(deps),
    uploadStatusRoutes(deps),
    storeRoutes(deps),
    inventorySystemRoutes(deps),
    storeLinkRoutes(deps),
    webhookRoutes(deps),
    webhookSecretRoutes(deps),
    webhookTestRoutes(deps),
    posEventRoutes(deps),
    posStockUpdateRoutes(deps),
    deliveryRoutes(deps),
    deliveryResendRoutes(deps),
  ];
  for (const routes of groups) api.use(routes.routes());
  return api;
}
