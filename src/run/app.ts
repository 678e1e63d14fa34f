import type { Middleware } from 'koa';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import { MAX_LINKED_SYSTEMS } from '../stores/sql/store-links';
import type { Log } from '../platform/observe/log';
import type { BoundPlaces } from '../platform/places';
import { createPageTurns } from '../console/page-turns';
import { createCallApi } from '../console/call-api';
import { ownFormsOnly, requireSession } from '../console/require-session';
import { createOpenApiDocument } from '../openapi/document';
import { createAddressOf } from '../http/client-address';
import { createKeyKeeper } from '../http/idempotency-keeper';
import { createRefuseAttempt } from '../http/refused-attempts';
import type { BodyReader } from '../http/body/body-reader';
import { createBodyBudget, UNKNOWN_SENDERS_MEMORY } from '../http/body/body-budget';
import { CONNECTIONS } from './connections';
import { createFindOwner } from '../users/find-owner';
import { createReadPlaces, createWorkPlaces } from '../http/request-places';
import { createSlowTurns } from '../http/slow-work';
import { createStrangerTurns } from '../http/stranger-turns';
import { refuseEarly } from '../http/refuse-early';
import { createWorkLook } from '../http/wanted-work';
import { authenticate } from '../http/middleware/authenticate';
import { ownTurn } from '../http/middleware/own-turn';
import { idempotent } from '../http/middleware/idempotent';
import { rateLimit } from '../http/middleware/rate-limit';
import { readBody } from '../http/middleware/read-body';
import { requireRightHead } from '../http/middleware/require-right-head';
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
  | 'textsForThreads'
  | 'callApi'
  | 'refuseToken'
  | 'findOwner'
  | 'strangers'
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
      | 'OTEL_EXPORTER_OTLP_ENDPOINT'
    >;
}

/** The whole HTTP side, without listening. */
export function createApp(appDeps: AppDeps): RequestHandler {
  const { log, settings, metrics, stopping } = appDeps;
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
  const work = createWorkPlaces(settings.WORKING_REQUESTS, metrics.bounds);
  const refuseToken = createRefuseAttempt(metrics.bounds, 'failed_authentications');
  const shared = {
    ...appDeps,
    description,
    storeLinks,
    bodyBudget,
    // Not through the connections of reads, which would keep a thread that others wait for. There are few threads.
    textsForThreads: appDeps.documents,
    refuseToken,
    findOwner: createFindOwner(appDeps.sql),
    strangers: createStrangerTurns('token_lookups', { bounds: metrics.bounds, stopping }),
    resendPlaces: createResendPlaces(metrics.bounds),
    lookAtPostgres: createPostgresLook(appDeps.sql),
  };
  const deps = withCallApi(shared);
  const handle = createRequestHandler({
    log,
    routes: withOwnConnections(routes, shared),
    deps,
    guardsOf: createGuards(deps, work),
    addressOf: createAddressOf(settings.TRUSTED_PROXIES),
    metrics,
    isTraced: settings.OTEL_EXPORTER_OTLP_ENDPOINT !== null,
  });
  return refuseEarly({ work, findWork: createWorkLook(routes), metrics }, handle);
}

/** Adds the calls from pages to the API, which use the same dependencies as the page. */
function withCallApi(shared: Omit<AppDeps & RouteDeps, 'callApi'>): AppDeps & RouteDeps {
  const deps: AppDeps & RouteDeps = {
    ...shared,
    callApi: (ctx, routeId, request) => callApi(ctx, routeId, request),
  };
  const callApi = createCallApi(ROUTES, deps, deps.bodyReader);
  return deps;
}

/** The routes, of which those that only read leave connections to those that write, see `CONNECTIONS`. */
function withOwnConnections(
  routes: readonly Route<RouteDeps>[],
  shared: Omit<AppDeps & RouteDeps, 'callApi'>,
): readonly Route<RouteDeps>[] {
  const over = (sql: Sql) => withCallApi({ ...shared, sql, documents: shared.documents.over(sql) });
  const reads = over(shared.sql.part(CONNECTIONS.reads));
  const pages = over(reads.sql.part(CONNECTIONS.pages));
  return routes.map((route) => {
    const { access, body, method } = route;
    if (access.kind === 'session' && isPage(body)) {
      return { ...route, run: (_deps, ctx) => route.run(pages, ctx) };
    }
    if (access.kind === 'token' && method === 'get') {
      return { ...route, run: (_deps, ctx) => route.run(reads, ctx) };
    }
    return route;
  });
}

/** Whether a request of a session with this body is answered with a page; the others are the small forms of actions. */
function isPage(body: Route<RouteDeps>['body']): boolean {
  return body.kind !== 'form' || body.encoding === 'multipart';
}

/** The guards of a route, made from its declaration, in the order of docs/api.md, "Every request". */
function createGuards(
  deps: AppDeps & RouteDeps,
  work: BoundPlaces,
): (route: Route<RouteDeps>) => readonly Middleware<RequestState>[] {
  const { bounds } = deps.metrics;
  const turnDeps = { bounds, stopping: deps.stopping };
  const keyKeeper = createKeyKeeper(deps.sql);
  const authentication = authenticate({ ...deps, refuse: deps.refuseToken });
  const session = requireSession(deps);
  const limit = rateLimit(deps.settings.RATE_LIMIT_PER_SECOND, bounds);
  const signature = requireSignature(deps, {
    strangers: createStrangerTurns('signature_checks', turnDeps),
    work,
    refuse: createRefuseAttempt(bounds, 'bad_signatures'),
  });
  const bodies = {
    budget: deps.bodyBudget,
    reader: deps.bodyReader,
    work,
    reading: createReadPlaces(bounds),
  };
  const unknownSenders = createBodyBudget(UNKNOWN_SENDERS_MEMORY, bounds, 'unknown_senders_memory');
  const bodiesOfUnknown = { ...bodies, budget: unknownSenders };
  const pageTurn = ownTurn(createPageTurns(turnDeps));
  const slowTurns = createSlowTurns(deps.settings.WORKING_REQUESTS, turnDeps);
  return (route) => {
    const { access, body, idempotency, slow } = route;
    // Busy comes after what is wrong with the head.
    const slowTurn = slow ? [requireRightHead(body), ownTurn(slowTurns[slow])] : [];
    switch (access.kind) {
      case 'public':
        return body.kind === 'form' ? [readBody(bodiesOfUnknown, body)] : [];
      case 'session':
        return [
          session,
          limit,
          // Without a turn for small forms, which help out of a full process.
          ...(body.kind === 'none' ? [pageTurn] : []),
          ...slowTurn,
          readBody(bodies, body),
          ...(body.kind === 'form' ? [ownFormsOnly] : []),
        ];
      case 'signature':
        return signature(access, readBody(bodiesOfUnknown, body));
      case 'token':
        return [
          authentication,
          limit,
          requireUser(access.deletedUser),
          ...slowTurn,
          readBody(bodies, body),
          ...(idempotency === 'kept' ? [idempotent({ ...deps, keyKeeper }, route)] : []),
        ];
    }
  };
}
