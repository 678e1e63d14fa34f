import { operations, problems, responseOf } from '../openapi-reader';
import { requireGeneralForm } from '../../api-contract/general-form';
import type { FuzzRequest } from './fuzz-request';
import type { WireReply } from './wire-client';

/** The parser's answers to invalid HTTP, before there is a request: without body and id. */
const PARSERS = new Set([400, 417, 431]);
const DESCRIBED = new Set(operations.map(({ operation }) => operation.operationId));

/** What is wrong with the answer to a request; undefined if the route declares it. */
export function judgeReply({ route, method }: FuzzRequest, reply: WireReply): string | undefined {
  const { status, headers, text } = reply;
  if (!headers.has('x-request-id')) {
    return PARSERS.has(status) && text === '' ? undefined : 'it is not of this service';
  }
  // A declared 503 is one of ours that must not come here: nothing is full and nothing is away.
  const isPos = headers.get('x-error-source') === 'pos';
  if (status >= 500 && !isPos && !isPosAway(route.id, status)) return 'it is a 5xx';
  if (method === 'HEAD') return status < 500 ? undefined : 'it is a 5xx';
  try {
    requireGeneralForm({ method, url: route.path, status, headers, text });
  } catch (error) {
    return String(error);
  }
  if (status === 405 || (status === 404 && text.includes('The resource was not found.'))) {
    return undefined;
  }
  if (!DESCRIBED.has(route.id) || method !== route.method.toUpperCase()) return undefined;
  const mediaType = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  const schema = responseOf(route.id, status, mediaType);
  if (schema === undefined) return `${mediaType} is not declared`;
  return problems(schema, mediaType.includes('json') ? JSON.parse(text) : text) || undefined;
}

/** A movement may be on its way to a POS that refuses to talk: those two have their own sentences. */
function isPosAway(id: string, status: number): boolean {
  return id === 'updatePosStock' && (status === 502 || status === 504);
}
