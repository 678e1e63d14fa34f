import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './middleware/request-log';
import type { RequestHandler } from './request-handler';
import type { WorkBound } from './work-bound';

const BUSY = JSON.stringify({ message: ['The service is busy.'], data: null });
/** Requests that may want problem+json are refused a little later, in that format. */
const PROBLEM = /problem\+json/i;

/**
 * Answers 503 to requests with a body while `work` has no place, before anything of them is read. At five times the
 * capacity of a process, refusing is most of its work; after all other guards it left a sixth of the capacity for
 * accepted requests. Writes no log line; the metric of the limit counts them.
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
