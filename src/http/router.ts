import { asciiUpper } from '../platform/text/ascii-case';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Route, RouteContract } from './route';
import { type MatchedPaths, meantBy, unmatched } from './middleware/unmatched';
import { letBodyGo, type RequestContext, type RequestState } from './state';

const routerPaths = new WeakMap<RouteContract, string>();

/** The path of a route as the router and the metrics write it: `/menus/uploads/:upload_id`. */
export function routerPath(route: RouteContract): string {
  const known = routerPaths.get(route);
  if (known !== undefined) return known;
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  routerPaths.set(route, path);
  return path;
}

/** The part of a path by which its router is found: `/api/v1/menus`, `/console`. */
const BEGINNING = /^(?:\/api\/v1)?\/[^/]*/;

function beginningOf(path: string): string {
  return BEGINNING.exec(path)?.[0] ?? '';
}

/** A middleware that routes requests by these routers. */
export interface RoutingMiddleware extends Middleware<RequestState> {
  readonly routers: readonly Router<RequestState>[];
}

/**
 * Routes requests to handlers, each behind its declared guards. Paths are compared byte for byte; if two routes match
 * a path, the one with fewer parameters is meant, also by a request whose method only the other one has. There is a
 * router for each beginning of a path, because a router compares a path with each of its routes: with one for all, that
 * was a twentieth of the API's CPU. Throws if a path has a parameter in its beginning.
 */
export function createRouter<Deps>(
  routes: readonly Route<Deps>[],
  deps: Deps,
  guardsOf: (route: Route<Deps>) => readonly Middleware<RequestState>[],
): RoutingMiddleware {
  const routers = new Map<string, Router<RequestState>>();

  function routerFor(path: string): Router<RequestState> {
    const beginning = beginningOf(path);
    if (beginning.includes(':')) throw new Error(`${path} begins with a parameter`);
    const router =
      routers.get(beginning) ??
      new Router<RequestState>({ sensitive: true, strict: true, exclusive: 'specificity' });
    routers.set(beginning, router);
    return router;
  }

  for (const route of routes) {
    const path = routerPath(route);
    const declared: Middleware<RequestState, MatchedPaths> = (ctx, next) => {
      if (!meantBy(ctx).some((layer) => layer.path === path)) return unmatched(ctx, next);
      ctx.state.route = route;
      return next();
    };
    const handle: Middleware<RequestState> = (ctx) => answer(route, deps, ctx);
    routerFor(path)[route.method](path, declared, ...guardsOf(route), handle);
  }
  const dispatch = new Map([...routers].map(([start, router]) => [start, router.routes()]));
  const routing: Middleware<RequestState> = (ctx, next) => {
    const routed = dispatch.get(beginningOf(ctx.path));
    return routed ? routed(ctx as Parameters<typeof routed>[0], next) : next();
  };
  return Object.assign(routing, { routers: [...routers.values()] });
}

async function answer<Deps>(route: Route<Deps>, deps: Deps, ctx: RequestContext): Promise<void> {
  const afterBody = await route.run(deps, ctx);
  // The rest may wait for seconds and does not need the body.
  letBodyGo(ctx);
  await afterBody?.();
}

/**
 * Throws, so that the process does not start, if a middleware of the app routes requests by itself, or if two
 * declarations have the same method and path.
 */
export function requireDeclared(
  middleware: readonly object[],
  routes: readonly RouteContract[],
): void {
  const declared = routes.map((each) => `${asciiUpper(each.method)} ${routerPath(each)}`);
  const registered = middleware.flatMap(registeredBy);
  const undeclared = registered.filter((each) => !declared.includes(each));
  const repeated = registered.filter((each, index) => registered.indexOf(each) !== index);
  if (undeclared.length > 0) {
    throw new Error(`routes without a declaration: ${undeclared.join(', ')}`);
  }
  if (repeated.length > 0) {
    throw new Error(`routes that are registered twice: ${repeated.join(', ')}`);
  }
}

/** `METHOD path` of every route in a middleware's routers; a nested middleware counts as a route for any method. */
function registeredBy(middleware: object): readonly string[] {
  const { router, routers = [] } = middleware as Partial<RoutingMiddleware & { router: Router }>;
  const stacks = [...routers, ...(router ? [router] : [])].map(({ stack }) => stack);
  return stacks
    .flat()
    .flatMap(({ methods, path }) =>
      (methods.length === 0 ? ['ANY'] : methods.filter((each) => each !== 'HEAD')).map(
        (method) => `${method} ${String(path)}`,
      ),
    );
}
