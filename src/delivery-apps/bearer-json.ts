import type { OutboundRequest, OutboundResult } from '../platform/outbound/types';
import type { ClientOptions } from './app-client';

/** Sends JSON to an app that takes bearer tokens. */
export function sendBearerJson(
  { http, baseUrl, timeoutMs }: ClientOptions,
  token: string,
  { path, ...request }: Pick<OutboundRequest, 'method' | 'body'> & { readonly path: string },
): Promise<OutboundResult> {
  return http.request({
    ...request,
    url: `${baseUrl}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    timeoutMs,
    trustedHost: new URL(baseUrl).hostname,
  });
}
