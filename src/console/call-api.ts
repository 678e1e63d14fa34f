import { Readable } from 'node:stream';
import { AppError } from '../platform/errors';
import { asciiLower } from '../platform/text/ascii-case';
import type { BodyReader } from '../http/body/body-reader';
import { bodyTooLarge } from '../http/body/read-bytes';
import type { Route, RouteContract } from '../http/route';
import { letBodyGo, type RequestContext, type RequestState } from '../http/state';

/** A request from the console to the API. */
export interface ApiRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** For routes with a JSON body; a Buffer is sent as it is. */
  readonly body?: unknown;
}

/** Calls the API's own handler for the signed-in user of a page; throws what the API would answer as an error. */
export type CallApi = (
  page: Pick<RequestContext, 'state' | 'res'>,
  routeId: string,
  request?: ApiRequest,
) => Promise<ApiAnswer>;

export interface ApiAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body before it is written as JSON. */
  readonly body: { readonly data: unknown; readonly next_cursor?: string | null };
}

/** The same of a list, which answers in CSV. */
export type CallApiForCsv = (
  page: Pick<RequestContext, 'state' | 'res'>,
  routeId: string,
  request: ApiRequest,
) => Promise<CsvAnswer>;

export interface CsvAnswer {
  /** To the lines behind the last one, relative to this answer's own path; undefined: there are none. */
  readonly link: string | undefined;
  readonly lines: unknown;
}

/**
 * The console shows and does exactly what the API would for the same user, because it uses the same declarations:
 * shape, permission, handler.
 */
export function createCallApi<Deps>(
  routes: readonly Route<Deps>[],
  depsOf: (page: Pick<RequestContext, 'state'>) => Deps,
  reader: Pick<BodyReader, 'read'>,
): { readonly callApi: CallApi; readonly callApiForCsv: CallApiForCsv } {
  const byId = new Map(routes.map((route) => [route.id, route]));

  /** The context of the API's own request, with its answer in it. */
  async function answered(
    page: Pick<RequestContext, 'state' | 'res'>,
    routeId: string,
    { params = {}, query = {}, body }: ApiRequest,
    accepts: 'json' | 'text/csv',
  ): Promise<{ readonly ctx: RequestContext; readonly headers: ReadonlyMap<string, string> }> {
    const route = byId.get(routeId);
    if (!route) throw new Error(`there is no route ${routeId}`);
    const headers = new Map<string, string>();
    const ctx = contextOf(page, { route, params, query, headers, accepts });
    if (route.body.kind === 'json') {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      if (bytes.length > route.body.maxBytes) throw bodyTooLarge();
      ctx.state.body = await reader.read(route.body, bytes, ctx.state.caller.userId);
    }
    const wait = await route.run(depsOf(page), ctx);
    letBodyGo(ctx);
    await wait?.();
    return { ctx, headers };
  }

  return {
    async callApi(page, routeId, request = {}) {
      const { ctx, headers } = await answered(page, routeId, request, 'json');
      return { status: ctx.status, headers, body: await readAnswer(ctx.body) };
    },
    async callApiForCsv(page, routeId, request) {
      const { ctx, headers } = await answered(page, routeId, request, 'text/csv');
      return { link: headers.get('link'), lines: ctx.body };
    },
  };
}

/** A larger page would block the process, and nobody would read all of it. */
const LARGEST_ANSWER = 2 * 1024 * 1024;

/** Reads an answer. Some handlers answer with bytes that a thread wrote, in one piece or in several. */
async function readAnswer(body: unknown): Promise<ApiAnswer['body']> {
  if (!Buffer.isBuffer(body) && !(body instanceof Readable)) return body as ApiAnswer['body'];
  const pieces: Iterable<Buffer> | AsyncIterable<Buffer> = Buffer.isBuffer(body) ? [body] : body;
  const read: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > LARGEST_ANSWER) {
      throw new AppError('not_found', 'It is too large for a page. The API answers it whole.');
    }
    read.push(piece);
  }
  return JSON.parse(Buffer.concat(read, length).toString('utf8')) as ApiAnswer['body'];
}

/** The parts of a request that handlers use: the user, the parameters, and the answer. */
function contextOf(
  { state: { caller, requestId, address, logged }, res }: Pick<RequestContext, 'state' | 'res'>,
  given: Pick<Required<ApiRequest>, 'params' | 'query'> & {
    readonly route: RouteContract;
    readonly headers: Map<string, string>;
    readonly accepts: 'json' | 'text/csv';
  },
): RequestContext {
  const state: Partial<RequestState> = {
    route: given.route,
    caller,
    body: undefined,
    bodySha256: '',
    heldKey: null,
    boundId: null,
    // Rows and log lines name the request of the page.
    requestId,
    address,
    logged,
  };
  const ctx = {
    state,
    params: given.params,
    query: given.query,
    // Links to more of an answer are relative to the page.
    path: '',
    querystring: new URLSearchParams(given.query).toString(),
    // If the user leaves, the page's request ends.
    res,
    status: 200,
    body: undefined,
    // Forms never wait for an outcome, because the next page shows the progress.
    get: (name: string) => (asciiLower(name) === 'prefer' ? 'respond-async' : ''),
    set: (named: string | Readonly<Record<string, string>>, value = '') => {
      const set = typeof named === 'string' ? { [named]: value } : named;
      for (const [name, each] of Object.entries(set)) given.headers.set(asciiLower(name), each);
    },
    vary: () => {},
    accepts: () => given.accepts,
  };
  return ctx as unknown as RequestContext;
}
