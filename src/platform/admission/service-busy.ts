import { AppError } from '../errors';

/** Seconds after which a refused client should try again. */
export const BUSY_RETRY_S = 1;

/** The 503 of a process that has no memory left for the request, or no permit. */
export function serviceBusy(): AppError {
  return new AppError('service_busy', 'The service is busy.', {
    headers: { 'Retry-After': String(BUSY_RETRY_S) },
  });
}
