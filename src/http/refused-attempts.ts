import type { BoundName, Bounds } from '../platform/config/bounds';
import { AppError } from '../platform/errors';
import { createAttemptLimiter } from './attempt-limiter';

/** Failures of one address in a minute that are answered 401; the next ones are answered 429. */
const PER_MINUTE = 100;

/** What a request with a bad token or signature is answered, by the address that it comes from. */
export type RefuseAttempt = (address: string) => AppError;

/**
 * Makes the refusal of failed attempts: the 401, or past 100 of an address in a sliding minute the 429. Counting slows
 * down guessing and never keeps good callers out: they are told apart from bad ones first.
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
