import type { Middleware } from 'koa';
import type { Config } from '../config';
import { MAX_LINKED_SYSTEMS } from '../db/store-links';
import type { Log } from '../log';
import { createOpenApiDocument } from '../openapi/document';
import { createAddressOf } from './client-address';
import { createMarkKeeper } from './mark-keeper';
import { createRefuseAttempt } from './refused-attempts';
import type { BodyReader } from './body-reader';
import { createBodyBudget } from './body-budget';
import { authenticate } from './middleware/authenticate';
import { idempotent } from './middleware/idempotent';
import { rateLimit } from './middleware/rate-limit';
import { readBody } from './middleware/read-body';
import { requireSignature } from './middleware/require-signature';
import { requireUser } from './middleware/require-user';
import { createRequestHandler, type RequestHandler } from './request-handler';
import type { Route } from './route';
import { type RouteDeps, ROUTES } from './routes';
import { METRICS_ROUTE } from './routes/metrics';
import type { RequestState } from './state';
import { staticContent } from './static-answer';

export interface AppDeps extends Omit<RouteDeps, 'description' | 'storeLinks'> {
  readonly log: Log;
  readonly bodyReader: BodyReader;
  readonly settings: RouteDeps['settings'] &
    Pick<Config, 'RATE_LIMIT_PER_SECOND' | 'METRICS_PORT' | 'BODY_MEMORY' | 'TRUSTED_PROXIES'>;
}

/** The whole HTTP side; listening is somebody else's business. */
export function createApp(appDeps: AppDeps): RequestHandler {
  const { log, settings, metrics } = appDeps;
  // With a port of its own `/metrics` is not on this one.
  const routes = ROUTES.filter(({ id }) => settings.METRICS_PORT === 0 || id !== METRICS_ROUTE.id);
  const document = createOpenApiDocument(ROUTES);
  const description = staticContent('application/json', JSON.stringify(document));
  const storeLinks = metrics.bounds.declare('store_links', { limit: MAX_LINKED_SYSTEMS });
  const deps = { ...appDeps, description, storeLinks };
  return createRequestHandler({
    log,
    routes,
    deps,
    guardsOf: createGuards(deps),
    addressOf: createAddressOf(settings.TRUSTED_PROXIES),
    metrics,
  });
}

/** The guards of a route, made from its declaration, in the order of the contract's §1. */
function createGuards(
  deps: AppDeps & RouteDeps,
): (route: Route<RouteDeps>) => readonly Middleware<RequestState>[] {
  const { bounds } = deps.metrics;
  const marks = createMarkKeeper(deps.sql);
  const refuseToken = createRefuseAttempt(bounds, 'failed_authentications');
  const authentication = authenticate(deps.sql, refuseToken);
  const limit = rateLimit(deps.settings.RATE_LIMIT_PER_SECOND, bounds);
  const signature = requireSignature(deps, createRefuseAttempt(bounds, 'bad_signatures'));
  const bodies = {
    budget: createBodyBudget(deps.settings.BODY_MEMORY, bounds),
    reader: deps.bodyReader,
  };
  return (route) => {
    const { access, body, idempotency } = route;
    switch (access.kind) {
      case 'public':
        return [];
      case 'signature':
        return signature(access, readBody(bodies, body));
      case 'token':
        return [
          authentication,
          limit,
          requireUser(access.deletedUser),
          readBody(bodies, body),
          ...(idempotency === 'kept' ? [idempotent({ ...deps, marks }, route)] : []),
        ];
    }
  };
}
