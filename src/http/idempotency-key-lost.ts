import { AppError } from '../platform/errors';

/**
 * Another request has the idempotency key: it came first, or this one lost the lease before it wrote its rows.
 */
export function keyLost(): AppError {
  return new AppError(
    'idempotency_running',
    'A request with this idempotency key is still in progress.',
    { headers: { 'Retry-After': '1' } },
  );
}
