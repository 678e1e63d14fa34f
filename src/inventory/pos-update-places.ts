import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { createSharedPlaces, type SharedPlaces } from '../platform/shared-places';

/**
 * A minimum: where `WAITING_REQUESTS` is small or 0, one slow POS would otherwise get the updates for all others
 * refused.
 */
const LEAST = 100;

/**
 * The stock updates of one process that wait for a POS: as many as requests may wait for an outcome, and 100 at least.
 * Half of the places are for one user at most. Without a place an update can only be refused, as it has no row.
 */
export function createPosUpdatePlaces(
  waitingRequests: number,
  bounds: Bounds,
): SharedPlaces<UserId> {
  return createSharedPlaces('waiting_pos_updates', Math.max(waitingRequests, LEAST), bounds);
}
