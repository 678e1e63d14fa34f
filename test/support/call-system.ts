import { recordAnswer } from '../api-contract/record-answer';
import type { SharedSystem } from './system';

/** Calls of the API of a system by its user: any method, with JSON in and out. */
export function callerOf(system: SharedSystem) {
  return async (method: string, path: string, body?: unknown, headers = {}) => {
    const response = await fetch(`${system.apiUrl()}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${system.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, url } = response;
    const text = await response.text();
    recordAnswer({ method, url, status, headers: response.headers, text });
    return { status, headers: response.headers, json: JSON.parse(text) };
  };
}
