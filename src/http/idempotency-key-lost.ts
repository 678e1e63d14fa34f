import { AppError } from '../platform/errors';

/** The lease expired between taking the idempotency key and writing the rows, and another try has it now. */
export function keyLost(): AppError {
  return new AppError(
    'idempotency_running',
    'A request with this idempotency key is still in progress.',
    { headers: { 'Retry-After': '1' } },
  );
}
