import type { ServerResponse } from 'node:http';
import { AppError } from '../platform/errors';

/**
 * Calls back when the socket has taken the whole answer or is closed; at once if the caller has left already, because
 * then no event will follow.
 */
export function whenClosed(response: ServerResponse, listener: () => void): void {
  if (response.closed) listener();
  else response.once('close', listener);
}

/** The answer would reach no caller, and the log line should not report a defect. */
export function callerGone(): AppError {
  return new AppError('malformed_body', 'The caller has gone.');
}
