import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BoundPermits } from '../../platform/admission/permits';
import { BUSY_RETRY_S, serviceBusy } from '../../platform/admission/service-busy';
import { asciiLower, asciiUpper } from '../../platform/text/ascii-case';
import { headFault, isWork } from '../body/body-head';
import { type AddressOf, networkOf } from '../client-address';
import { type KnownTokens, tokenOf } from './known-tokens';
import { plainBody } from '../middleware/errors';
import type { RequestMetrics } from '../middleware/measure';
import { requestIdOf } from '../middleware/request-log';
import type { RequestHandler } from '../request-handler';
import type { CallerKey } from './caller-key';
import type { RouteContract } from '../route';
import { routerPath } from '../router';

const BUSY = serviceBusy();
const BUSY_BODY = JSON.stringify(plainBody(BUSY));
/** Distance between two resumed connections, none of which is read before its client should try again. */
const MS_PER_REFUSAL = 1;
/** The longest time for which a connection is not read. */
const LONGEST_REST_MS = 5_000;
/** Requests that may want problem+json are refused a little later, in that format. */
const PROBLEM = /problem\+json/i;

/** A key that has taken nothing. */
const NOT_KNOWN = '';

/** When requests are refused before anything of them is read. */
interface EarlyRefusal {
  readonly work: BoundPermits;
  readonly known: Pick<KnownTokens, 'trusted'>;
  readonly addressOf: AddressOf;
  readonly routes: readonly RouteContract[];
  readonly metrics: RequestMetrics;
}

/**
 * Answers 503 to requests for work while there is no permit for their caller, before anything of them is read. At five
 * times the capacity of a process, refusing is most of its work; after all other guards it left a sixth of the capacity
 * for accepted requests. So only the head of the request is looked at, and of its token whether it is known already:
 * the 503 comes before 401 and 429. A caller who is not known is refused only when nobody would get a permit. Writes no
 * log line of a request; the metric of the limit counts them, and they count as answers of their route.
 *
 * A client that tries again at once, regardless of `Retry-After`, waits in its own socket: every request read is taken
 * from the processor that the accepted ones need. Not in that of a proxy, unless everybody is refused: the next request
 * there may be another caller's.
 */
export function refuseEarly(
  { work, routes, known, addressOf, metrics }: EarlyRefusal,
  handle: RequestHandler,
): RequestHandler {
  const findWork = createWorkLook(routes);
  const rest = createRest();

  function keyOf({ access }: RouteContract, request: IncomingMessage): CallerKey | undefined {
    if (access.kind === 'signature') return networkOf(addressOf(request));
    return known.trusted(tokenOf(request))?.userId;
  }

  function mayRest(request: IncomingMessage): boolean {
    const peer = addressOf({ headers: {}, socket: request.socket });
    return !work.hasPermitFor(NOT_KNOWN) || addressOf(request) === peer;
  }

  return async (request, response) => {
    const mayRefuse = work.isTight() && !PROBLEM.test(request.headers.accept ?? '');
    const route = mayRefuse ? findWork(request) : undefined;
    if (!route || !isComplete(request, route)) return handle(request, response);
    const key = keyOf(route, request);
    if (work.hasPermitFor(key ?? NOT_KNOWN)) return handle(request, response);
    work.hit(key ?? networkOf(addressOf(request)));
    const labels = { method: request.method ?? '', route: routerPath(route), status: BUSY.status };
    // 1.5 µs of CPU.
    metrics.observeRequest(labels, 0, 'own');
    refuse(request, response, mayRest(request) ? rest : undefined);
  };
}

/** Whether it has the body that its route wants. */
function isComplete({ headers }: IncomingMessage, { body }: RouteContract): boolean {
  const length = headers['content-length'];
  const carriesBody =
    headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  return carriesBody || body.kind === 'empty';
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  rest: ((socket: Socket) => void) | undefined,
): void {
  response.writeHead(BUSY.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': BUSY_BODY.length,
    ...BUSY.options.headers,
    'X-Request-Id': requestIdOf(request.headers['x-request-id']),
  });
  response.once('finish', () => {
    // Later, because the body may have come with the head, and because Node resumes the socket for the next request.
    setImmediate(() => {
      // What is left of a longer body must still be read.
      if (request.complete) rest?.(request.socket);
    });
  });
  response.end(BUSY_BODY);
}

function createRest(): (socket: Socket) => void {
  let lastResumeAt = 0;
  return (socket) => {
    const now = performance.now();
    lastResumeAt = Math.max(lastResumeAt + MS_PER_REFUSAL, now + BUSY_RETRY_S * 1000);
    setTimeout(() => socket.resume(), Math.min(lastResumeAt - now, LONGEST_REST_MS)).unref();
    socket.pause();
  };
}

/** The segments that ids of ours have; what is written otherwise is left to the router. */
const SEGMENT = String.raw`[\w-]{1,255}`;

/** The route whose work a request asks for; undefined if it asks for none, or is to be refused for its head. */
type WorkLook = (request: IncomingMessage) => RouteContract | undefined;

/**
 * Makes a look at the head of a request: of which of these routes it asks for work, if nothing in the head calls for
 * another refusal (404, 405, 415, 413, or the 401 of what cannot be a signature). A look takes 0.3 µs of CPU.
 */
function createWorkLook(routes: readonly RouteContract[]): WorkLook {
  const find = createFinder(routes.filter(({ body }) => isWork(body)));
  return (request) => {
    const route = find(request);
    return route && isRightHead(request, route) ? route : undefined;
  };
}

function createFinder(routes: readonly RouteContract[]) {
  const exact = new Map<string, Map<string, RouteContract>>();
  const templates: { method: string; form: RegExp; route: RouteContract }[] = [];
  for (const route of routes) {
    const { path } = route;
    const method = asciiUpper(route.method);
    if (path.includes('{')) {
      const form = new RegExp(`^${path.replaceAll(/\{\w+\}/g, SEGMENT)}$`);
      templates.push({ method, form, route });
    } else
      exact.set(path, (exact.get(path) ?? new Map<string, RouteContract>()).set(method, route));
  }
  return ({ url = '', method = '' }: IncomingMessage): RouteContract | undefined => {
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const named = exact.get(path);
    if (named) return named.get(method);
    return templates.find((each) => each.method === method && each.form.test(path))?.route;
  };
}

function isRightHead({ headers }: IncomingMessage, { body, access }: RouteContract): boolean {
  if (access.kind === 'signature') {
    const signature = headers[asciiLower(access.header)];
    if (typeof signature !== 'string' || !access.form.test(signature)) return false;
  }
  return headFault(body, headers) === undefined;
}
