import { AppError } from '../platform/errors';
import { asciiLower } from '../platform/text/ascii-case';
import type { ReadSettings } from '../http/request-body';
import type { Route } from '../http/route';
import { letBodyGo, type RequestContext, type RequestState } from '../http/state';
import type { TokenOwner } from '../users/sql/users';

/** A request of the console to the API. */
export interface ApiRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** For routes with a JSON body. */
  readonly body?: unknown;
}

/** Only menus are read by a setting, and the console sends none. */
const NO_MENU: ReadSettings = { MENU_EQUAL_QUANTITIES: 'refuse' };

/** Calls the API's own handler for somebody who signed in; throws what the API would answer as an error. */
export type CallApi = (
  caller: TokenOwner,
  routeId: string,
  request?: ApiRequest,
) => Promise<ApiAnswer>;

export interface ApiAnswer {
  readonly status: number;
  /** As the API sends it, before it is written as JSON. */
  readonly body: { readonly data: unknown; readonly next_cursor?: string | null };
}

/**
 * The console shows and does exactly what the API shows and does to the same user, since it goes through the same
 * declarations: shape, permission, handler.
 */
export function createCallApi<Deps>(routes: readonly Route<Deps>[], deps: Deps): CallApi {
  const byId = new Map(routes.map((route) => [route.id, route]));
  return async (caller, routeId, { params = {}, query = {}, body } = {}) => {
    const route = byId.get(routeId);
    if (!route) throw new Error(`there is no route ${routeId}`);
    const ctx = contextOf(caller, params, query);
    if (route.body.kind === 'json') {
      ctx.state.body = route.body.read(Buffer.from(JSON.stringify(body)), NO_MENU);
    }
    const wait = await route.run(deps, ctx);
    letBodyGo(ctx);
    await wait?.();
    return { status: ctx.status, body: readAnswer(ctx.body) };
  };
}

/** Above this a page would hold the process up, and nobody would read it to its end. */
const LARGEST_ANSWER = 2 * 1024 * 1024;

/** Some handlers answer with the bytes of what was written in a thread. */
function readAnswer(body: unknown): ApiAnswer['body'] {
  if (!Buffer.isBuffer(body)) return body as ApiAnswer['body'];
  if (body.length > LARGEST_ANSWER) {
    throw new AppError('not_found', 'It is too large for a page. The API answers it whole.');
  }
  return JSON.parse(body.toString('utf8')) as ApiAnswer['body'];
}

/** What handlers use of a request: who asks, for what, and where the answer goes. */
function contextOf(
  caller: TokenOwner,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): RequestContext {
  const state: Partial<RequestState> = {
    caller,
    body: undefined,
    bodySha256: '',
    mark: null,
    boundId: null,
    requestId: 'console',
    address: '',
    logged: {},
  };
  const ctx = {
    state,
    params,
    query,
    status: 200,
    body: undefined,
    // A page shows how far it is; nobody waits for an outcome in front of a form.
    get: (name: string) => (asciiLower(name) === 'prefer' ? 'respond-async' : ''),
    set: () => {},
    accepts: () => 'json',
  };
  return ctx as unknown as RequestContext;
}
