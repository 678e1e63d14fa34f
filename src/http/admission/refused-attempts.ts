import { BOUNDS } from '../../platform/admission/bounds';
import type { BoundName, Bounds } from '../../platform/admission/bound-metrics';
import { AppError } from '../../platform/errors';
import { networkOf } from '../client-address';

/** Failures of one address within a minute that are answered 401; later ones are answered 429. */
const PER_MINUTE = BOUNDS.failed_authentications.limit;
const MINUTE_MS = 60_000;

/** Beyond this the oldest addresses are dropped, so that an attacker with many cannot fill the memory. */
const MAX_ADDRESSES = 10_000;

/** The refusal of a request with a bad token or signature, by its address. */
export type RefuseAttempt = (address: string) => AppError;

/**
 * Makes the refusal of failed attempts: the 401, or the 429 after 100 of an address in a sliding minute. Counting
 * slows down guessing but never affects good callers, because they are recognised first.
 */
export function createRefuseAttempt(bounds: Bounds, name: BoundName): RefuseAttempt {
  const countFailure = createFailureCounter();
  const bound = bounds.declare(name);
  return (address) => {
    const { count, waitMs } = countFailure(networkOf(address));
    bound.meet(count);
    if (waitMs === null) return new AppError('unauthorized', 'Unauthorized.');
    bound.hit(networkOf(address));
    return new AppError('rate_limited', 'Too many requests.', {
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    });
  };
}

interface FailureCount {
  /** Failures of the address within the minute, `PER_MINUTE` at most. */
  readonly count: number;
  /** Null while within the limit, else ms until the minute allows another. */
  readonly waitMs: number | null;
}

/**
 * Counts a failure of an address in its sliding minute. Refused failures are not counted, so that a client which keeps
 * trying gets through again in time.
 */
function createFailureCounter(): (address: string) => FailureCount {
  const times = new Map<string, number[]>();
  return (address) => {
    const at = Date.now();
    const recent = (times.get(address) ?? []).filter((time) => time > at - MINUTE_MS);
    const oldest = recent[0];
    if (oldest !== undefined && recent.length >= PER_MINUTE) {
      times.set(address, recent);
      return { count: PER_MINUTE, waitMs: Math.max(1, oldest + MINUTE_MS - at) };
    }
    recent.push(at);
    times.delete(address);
    times.set(address, recent);
    if (times.size > MAX_ADDRESSES) {
      const [first] = times.keys();
      if (first !== undefined) times.delete(first);
    }
    return { count: recent.length, waitMs: null };
  };
}
