import type { OutboundRequest, OutboundResult } from '../../platform/outbound/types';
import type { ClientOptions } from '../app-client';

type Sent = Pick<OutboundRequest, 'method' | 'body' | 'maxResponseBytes'>;

/** A request with the app's own header of a token. A body is JSON. */
export function send(
  { http, baseUrl, timeoutMs }: ClientOptions,
  token: string,
  { path, ...request }: Sent & { readonly path: string },
): Promise<OutboundResult> {
  return http.request({
    ...request,
    url: `${baseUrl}${path}`,
    headers: {
      'x-authorization': `Bearer ${token}`,
      accept: 'application/json',
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
    },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  });
}
