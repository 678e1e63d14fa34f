import { AppError } from './errors';

/** The 503 of a process that has no room for the request: for the bytes of its body, or for its work. */
export function serviceBusy(): AppError {
  return new AppError('service_busy', 'The service is busy.', { headers: { 'Retry-After': '1' } });
}
