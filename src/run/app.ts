import type { Middleware } from 'koa';
import type { Config } from '../platform/config/config';
import type { Sql } from '../platform/db/client';
import type { Log } from '../platform/observe/log';
import {
  type BoundPermits,
  createBoundPermits,
  createBoundShares,
} from '../platform/admission/permits';
import { createCallApi } from '../console/call-api';
import type { ConsoleDeps } from '../console/console-route';
import { ownFormsOnly, requireSession } from '../console/require-session';
import { createOpenApiDocument } from '../openapi/document';
import { createAddressOf } from '../http/client-address';
import { createKeyKeeper } from '../http/idempotency-leases';
import { createRefuseAttempt } from '../http/admission/refused-attempts';
import type { BodyReader } from '../http/body/body-reader';
import { createArrivalWatch } from '../http/admission/least-speed';
import { createKnownTokens, type KnownTokens } from '../http/admission/known-tokens';
import { CONNECTIONS } from './connections';
import { createFindOwner } from '../users/find-owner';
import type { CallerKey } from '../http/admission/caller-key';
import { createRequestPermits, ownPermit } from '../http/admission/request-permits';
import { entryOfList, forCsv, withCsv } from '../http/csv/csv-lists';
import { createSlowPermits } from '../http/admission/slow-work';
import { refuseEarly } from '../http/admission/refuse-early';
import { authenticate } from '../http/middleware/authenticate';
import { idempotent } from '../http/middleware/idempotent';
import { rateLimit } from '../http/admission/rate-limit';
import { readBody } from '../http/middleware/read-body';
import { requireRightHead } from '../http/middleware/require-right-head';
import { requireSignature } from '../http/middleware/require-signature';
import { requireUser } from '../http/middleware/require-user';
import { createRequestHandler, type RequestHandler } from '../http/request-handler';
import type { Route } from '../http/route';
import { type RouteDeps, ROUTES } from './routes';
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
  | keyof ConsoleDeps
  | 'refuseToken'
  | 'findOwner'
  | 'strangers'
  | 'resendPermits'
  | 'largeInserts'
  | 'pictureHosts'
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
  const storeLinks = metrics.bounds.declare('store_links');
  const bodyBudget = createBoundShares('body_memory', metrics.bounds, settings.BODY_MEMORY);
  const known = createKnownTokens();
  const addressOf = createAddressOf(settings.TRUSTED_PROXIES);
  const work = createBoundPermits('working_requests', metrics.bounds, settings.WORKING_REQUESTS);
  const refuseToken = createRefuseAttempt(metrics.bounds, 'failed_authentications');
  const permitDeps = { bounds: metrics.bounds, stopping };
  const shared = {
    ...appDeps,
    description,
    storeLinks,
    bodyBudget,
    // Not through the connections of reads, which would keep a thread that others wait for. There are few threads.
    textsForThreads: appDeps.documents,
    refuseToken,
    findOwner: createFindOwner(appDeps.sql),
    strangers: createRequestPermits<CallerKey>('token_lookups', permitDeps),
    resendPermits: createBoundPermits('resends_of_a_user', metrics.bounds),
    largeInserts: createRequestPermits('large_inserts', permitDeps),
    pictureHosts: createRequestPermits<string>('pictures_of_a_host', permitDeps),
    lookAtPostgres: createPostgresLook(appDeps.sql),
  };
  const deps = dependenciesOver(appDeps.sql, shared)({ state: {} });
  const handle = createRequestHandler({
    log,
    routes: withOwnConnections(
      routes.map((each) => withCsv(each, bodyBudget)),
      shared,
    ),
    deps,
    guardsOf: createGuards(deps, { work, known }),
    addressOf,
    metrics,
    isTraced: settings.OTEL_EXPORTER_OTLP_ENDPOINT !== null,
  });
  return refuseEarly({ work, routes, known, addressOf, metrics }, handle);
}

/** The dependencies of a request: its statements, and those of calls from its page, take the permits of its user. */
type DepsOf = (ctx: { readonly state: Partial<RequestState> }) => AppDeps & RouteDeps;

function dependenciesOver(sql: Sql, shared: Omit<AppDeps & RouteDeps, keyof ConsoleDeps>): DepsOf {
  const depsOf: DepsOf = ({ state }) => {
    const own = state.caller ? sql.by(state.caller.userId) : sql;
    return { ...shared, sql: own, documents: shared.documents.over(own), ...calls };
  };
  const lists = ROUTES.map((each) => withCsv(each, shared.bodyBudget));
  const calls = createCallApi(lists, depsOf, shared.bodyReader);
  return depsOf;
}

/** The routes, of which those that only read leave connections to those that write, see `CONNECTIONS`. */
function withOwnConnections(
  routes: readonly Route<RouteDeps>[],
  shared: Omit<AppDeps & RouteDeps, keyof ConsoleDeps>,
): readonly Route<RouteDeps>[] {
  const readSql = shared.sql.part(CONNECTIONS.reads);
  const all = dependenciesOver(shared.sql, shared);
  const reads = dependenciesOver(readSql, shared);
  const pages = dependenciesOver(readSql.part(CONNECTIONS.pages), shared);
  const depsFor = ({ access, body, method }: Route<RouteDeps>): DepsOf => {
    if (access.kind === 'session' && isPage(body)) return pages;
    return access.kind === 'token' && method === 'get' ? reads : all;
  };
  return routes.map((route) => {
    const depsOf = depsFor(route);
    return { ...route, run: (_deps, ctx) => route.run(depsOf(ctx), ctx) };
  });
}

/** Whether a request of a session with this body is answered with a page; the others are the small forms of actions. */
function isPage(body: Route<RouteDeps>['body']): boolean {
  return body.kind !== 'form' || body.encoding === 'multipart';
}

/** The guards of a route, made from its declaration, in the order of docs/api.md, "Every request". */
function createGuards(
  deps: AppDeps & RouteDeps,
  { work, known }: { readonly work: BoundPermits; readonly known: KnownTokens },
): (route: Route<RouteDeps>) => readonly Middleware<RequestState>[] {
  const { bounds } = deps.metrics;
  const permitDeps = { bounds, stopping: deps.stopping };
  const keyKeeper = createKeyKeeper(deps.sql);
  const kept =
    (route: Route<RouteDeps>): Middleware<RequestState> =>
    (ctx, next) => {
      const sql = deps.sql.by(ctx.state.caller.userId);
      return idempotent({ ...deps, sql, keyKeeper }, route)(ctx, next);
    };
  const authentication = authenticate({ ...deps, known, refuse: deps.refuseToken });
  const session = requireSession(deps);
  const limit = rateLimit(deps.settings.RATE_LIMIT_PER_SECOND, bounds);
  const signature = requireSignature(deps, {
    strangers: createRequestPermits<CallerKey>('signature_checks', permitDeps),
    work,
    refuse: createRefuseAttempt(bounds, 'bad_signatures'),
  });
  const bodies = {
    budget: deps.bodyBudget,
    reader: deps.bodyReader,
    work,
    reading: createBoundPermits('requests_without_body', bounds),
    arrivals: createArrivalWatch(),
    inflating: createRequestPermits<CallerKey>('inflating_bodies', permitDeps),
  };
  const unknownSenders = createBoundShares('unknown_senders_memory', bounds);
  const bodiesOfUnknown = { ...bodies, budget: unknownSenders };
  const slowPermits = createSlowPermits(deps.settings.WORKING_REQUESTS, permitDeps);
  return (route) => {
    const { access, body, idempotency, slow } = route;
    // Busy comes after what is wrong with the head.
    const slowPermit = slow
      ? [requireRightHead(body), ownPermit(slowPermits[slow])]
      : entryOfList(route)
        ? [forCsv(ownPermit(slowPermits.searches))]
        : [];
    switch (access.kind) {
      case 'public':
        return body.kind === 'form' ? [readBody(bodiesOfUnknown, body)] : [];
      case 'session':
        return [
          session,
          limit,
          // No permit for small forms, which help out of a full process. A picture is no page.
          ...(body.kind === 'none' && slow !== 'fetches pictures'
            ? [ownPermit(slowPermits.searches)]
            : []),
          ...slowPermit,
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
          ...slowPermit,
          readBody(bodies, body),
          ...(idempotency === 'kept' ? [kept(route)] : []),
        ];
    }
  };
}
