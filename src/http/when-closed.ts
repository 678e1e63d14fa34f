import type { ServerResponse } from 'node:http';

/**
 * Calls back when the socket has taken the whole answer or is closed; at once if the caller has left already, because
 * then no event will follow.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}
