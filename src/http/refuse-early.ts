import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './middleware/request-log';
import type { RequestHandler } from './request-handler';
import type { WorkBound } from './work-bound';

const BUSY = JSON.stringify({ message: ['The service is busy.'], data: null });
/** As far as is looked here: the others are refused in their own format, a little later. */
const PROBLEM = /problem\+json/i;

/**
 * Answers 503 to requests with a body while `work` has no place, before anything of them is read: at five times the
 * capacity of a process, refusing is most of what it does, and behind every other guard it left a sixth of the capacity
 * to those inside. It writes no log line; the bound's metric counts.
 */
export function refuseEarly(work: WorkBound, handle: RequestHandler): RequestHandler {
  return async (request, response) =>
    carriesBody(request) && !PROBLEM.test(request.headers.accept ?? '') && work.refusesAtOnce()
      ? refuse(request, response)
      : handle(request, response);
}

function carriesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': BUSY.length,
    'Retry-After': '1',
    'X-Request-Id': requestIdOf(request.headers['x-request-id']),
  });
  response.end(BUSY);
}
