import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Middleware } from 'koa';
import type { Log } from '../platform/observe/log';
import { type AddressOf, createAddressOf } from './client-address';
import { declaredOnly } from './middleware/declared-only';
import { errors } from './middleware/errors';
import { exactPath } from './middleware/exact-path';
import { measure, type RequestMetrics } from './middleware/measure';
import { requestLog } from './middleware/request-log';
import { traced } from './middleware/traced';
import { unmatched } from './middleware/unmatched';
import { createRouter, requireDeclared } from './router';
import type { Route } from './route';
import type { RequestState } from './state';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface RequestHandlerOptions<Deps> {
  readonly log: Log;
  readonly routes: readonly Route<Deps>[];
  readonly deps: Deps;
  /** The guards in front of a route's handler. */
  readonly guardsOf: (route: Route<Deps>) => readonly Middleware<RequestState>[];
  /** Where a request comes from; by default its peer. */
  readonly addressOf?: AddressOf;
  /** Counts every answer; optional. */
  readonly metrics?: RequestMetrics;
  /** Whether spans go anywhere. They are not free where they do not. */
  readonly isTraced?: boolean;
}

/** Answers requests by these routes only; throws if anything else in the app would answer too. */
export function createRequestHandler<Deps>({
  log,
  routes,
  deps,
  guardsOf,
  addressOf = createAddressOf([]),
  metrics,
  isTraced = false,
}: RequestHandlerOptions<Deps>): RequestHandler {
  const app = new Koa<RequestState>();
  // Our wide log line reports errors; Koa would print every 5xx again, with its stack, to stderr.
  app.silent = true;
  app.use(requestLog(log, addressOf));
  if (metrics) app.use(measure(metrics));
  if (isTraced) app.use(traced);
  app.use(errors);
  app.use(declaredOnly);
  app.use(exactPath);
  app.use(createRouter(routes, deps, guardsOf));
  app.use(unmatched);
  requireDeclared(app.middleware, routes);
  return app.callback();
}
