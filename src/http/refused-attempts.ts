import type { BoundName, Bounds } from '../platform/config/bounds';
import { AppError } from '../platform/errors';
import { createAttemptLimiter } from './attempt-limiter';

/** Failures of one address within a minute that are answered 401; later ones are answered 429. */
const PER_MINUTE = 100;

/** The refusal of a request with a bad token or signature, by its address. */
export type RefuseAttempt = (address: string) => AppError;

/**
 * Makes the refusal of failed attempts: the 401, or the 429 after 100 of an address in a sliding minute. Counting
 * slows down guessing but never affects good callers, because they are recognised first.
 */
export function createRefuseAttempt(bounds: Bounds, name: BoundName): RefuseAttempt {
  const failures = createAttemptLimiter(PER_MINUTE, 60_000);
  const bound = bounds.declare(name, { limit: PER_MINUTE });
  return (address) => {
    const { count, waitMs } = failures.fail(address);
    bound.meet(count);
    if (waitMs === null) return new AppError('unauthorized', 'Unauthorized.');
    bound.hit();
    return new AppError('rate_limited', 'Too many requests.', {
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    });
  };
}
