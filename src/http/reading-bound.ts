import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { createSharedPlaces, type SharedPlaces } from '../platform/shared-places';

/** Far more than the connections to Postgres can serve at once, and what they hold is small. */
const MOST = 1_000;

/**
 * Limits the requests without a body that one process works on at once, until their row is written or their answer.
 * They wait for the same connections as those with one; half of the places are for one user at most.
 */
export function createReadingBound(bounds: Bounds): SharedPlaces<UserId> {
  return createSharedPlaces('requests_without_body', MOST, bounds);
}
