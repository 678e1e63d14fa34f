import { currentTraceParent, inSpan } from '../observe/tracing';
import type { OutboundRequest, OutboundResult } from './types';
import { parseUrl } from '../text/parse-url';

type Send = (request: OutboundRequest) => Promise<OutboundResult>;

/** Sends a request in its own span and with its `traceparent`; unchanged if nothing is traced. */
export function traceRequest(request: OutboundRequest, send: Send): Promise<OutboundResult> {
  if (currentTraceParent() === null) return send(request);
  const attributes = {
    'http.request.method': request.method,
    'server.address': hostOf(request.url),
  };
  return inSpan(request.method, { kind: 'client', attributes }, async (span) => {
    const traceParent = currentTraceParent();
    const headers = { ...(traceParent && { traceparent: traceParent }), ...request.headers };
    const result = await send({ ...request, headers });
    const trouble = result.kind === 'failed' ? result : result.broken;
    if (result.kind === 'response') span.setAttribute('http.response.status_code', result.status);
    if (trouble) span.setAttribute('error.type', trouble.code);
    return result;
  });
}

/** Only the host, because the path of a URL may contain private data. */
function hostOf(url: string): string {
  return parseUrl(url)?.host ?? '';
}
