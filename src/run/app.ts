import type { Middleware } from 'koa';
import type { Config } from '../platform/config/config';
import { MAX_LINKED_SYSTEMS } from '../stores/sql/store-links';
import type { Log } from '../platform/observe/log';
import { createCallApi } from '../console/call-api';
import { ownFormsOnly, requireSession } from '../console/require-session';
import { createOpenApiDocument } from '../openapi/document';
import { createAddressOf } from '../http/client-address';
import { createKeyKeeper } from '../http/idempotency-keeper';
import { createRefuseAttempt } from '../http/refused-attempts';
import type { BodyReader } from '../http/body/body-reader';
import { createBodyBudget, UNKNOWN_SENDERS_MEMORY } from '../http/body/body-budget';
import { createSlowTurns } from '../http/slow-work';
import { createWorkBound, type WorkBound } from '../http/work-bound';
import { refuseEarly } from '../http/refuse-early';
import { createWorkLook } from '../http/wanted-work';
import { authenticate } from '../http/middleware/authenticate';
import { ownTurn } from '../http/middleware/own-turn';
import { idempotent } from '../http/middleware/idempotent';
import { rateLimit } from '../http/middleware/rate-limit';
import { readBody } from '../http/middleware/read-body';
import { requireSignature } from '../http/middleware/require-signature';
import { requireUser } from '../http/middleware/require-user';
import { createRequestHandler, type RequestHandler } from '../http/request-handler';
import type { Route } from '../http/route';
import { type RouteDeps, ROUTES } from './routes';
import { createResendPlaces } from '../webhooks/resend-places';
import { createPostgresLook } from '../metrics/routes/health';
import { METRICS_ROUTE } from '../metrics/routes/metrics';
import type { RequestState } from '../http/state';
import { staticContent } from '../http/static-answer';

export interface AppDeps extends Omit<
  RouteDeps,
  | 'description'
  | 'storeLinks'
  | 'bodyBudget'
  | 'callApi'
  | 'refuseToken'
  | 'resendPlaces'
  | 'lookAtPostgres'
> {
  readonly log: Log;
  readonly bodyReader: BodyReader;
  readonly settings: RouteDeps['settings'] &
    Pick<
      Config,
      | 'RATE_LIMIT_PER_SECOND'
      | 'METRICS_PORT'
      | 'BODY_MEMORY'
      | 'WORKING_REQUESTS'
      | 'TRUSTED_PROXIES'
      | 'CONSOLE'
    >;
}

/** The whole HTTP side, without listening. */
export function createApp(appDeps: AppDeps): RequestHandler {
  const { log, settings, metrics } = appDeps;
  // If `/metrics` has its own port, it is not on this one.
  const routes = ROUTES.filter(
    ({ id, path }) =>
      (settings.METRICS_PORT === 0 || id !== METRICS_ROUTE.id) &&
      (settings.CONSOLE === 'on' || !path.startsWith('/console')),
  );
  const document = createOpenApiDocument(ROUTES);
  const description = staticContent('application/json', JSON.stringify(document));
  const storeLinks = metrics.bounds.declare('store_links', { limit: MAX_LINKED_SYSTEMS });
  const bodyBudget = createBodyBudget(settings.BODY_MEMORY, metrics.bounds);
  const work = createWorkBound(settings.WORKING_REQUESTS, metrics.bounds);
  const refuseToken = createRefuseAttempt(metrics.bounds, 'failed_authentications');
  const deps: AppDeps & RouteDeps = {
    ...appDeps,
    description,
    storeLinks,
    bodyBudget,
    refuseToken,
    resendPlaces: createResendPlaces(metrics.bounds),
    lookAtPostgres: createPostgresLook(appDeps.sql),
    // Not `callApi` itself: it is made below, from these `deps`.
    callApi: (ctx, routeId, request) => callApi(ctx, routeId, request),
  };
  const callApi = createCallApi(ROUTES, deps, deps.bodyReader);
  const handle = createRequestHandler({
    log,
    routes,
    deps,
    guardsOf: createGuards(deps, work),
    addressOf: createAddressOf(settings.TRUSTED_PROXIES),
    metrics,
  });
  return refuseEarly({ work, wantsWork: createWorkLook(routes) }, handle);
}

/** The guards of a route, made from its declaration, in the order of the contract's §1. */
function createGuards(
  deps: AppDeps & RouteDeps,
  work: WorkBound,
): (route: Route<RouteDeps>) => readonly Middleware<RequestState>[] {
  const { bounds } = deps.metrics;
  const keyKeeper = createKeyKeeper(deps.sql);
  const authentication = authenticate(deps.sql, deps.refuseToken);
  const session = requireSession(deps);
  const limit = rateLimit(deps.settings.RATE_LIMIT_PER_SECOND, bounds);
  const signature = requireSignature(deps, createRefuseAttempt(bounds, 'bad_signatures'));
  const bodies = {
    budget: deps.bodyBudget,
    reader: deps.bodyReader,
    work,
  };
  const unknownSenders = createBodyBudget(UNKNOWN_SENDERS_MEMORY, bounds, 'unknown_senders_memory');
  const bodiesOfUnknown = { ...bodies, budget: unknownSenders };
  const slowTurn = ownTurn(createSlowTurns(deps.settings.WORKING_REQUESTS, bounds));
  return (route) => {
    const { access, body, idempotency, isSlow } = route;
    switch (access.kind) {
      case 'public':
        return body.kind === 'form' ? [readBody(bodiesOfUnknown, body)] : [];
      case 'session':
        return body.kind === 'form'
          ? [session, limit, readBody(bodies, body), ownFormsOnly]
          : [session, limit];
      case 'signature':
        return signature(access, readBody(bodiesOfUnknown, body));
      case 'token':
        return [
          authentication,
          limit,
          requireUser(access.deletedUser),
          ...(isSlow ? [slowTurn] : []),
          readBody(bodies, body),
          ...(idempotency === 'kept' ? [idempotent({ ...deps, keyKeeper }, route)] : []),
        ];
    }
  };
}
