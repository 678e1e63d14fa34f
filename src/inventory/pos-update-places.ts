import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { type BoundPlaces, createBoundPlaces, halfOf } from '../platform/places';

/**
 * A minimum: where `WAITING_REQUESTS` is small or 0, one slow POS would otherwise get the updates for all others
 * refused.
 */
const LEAST = 100;

/**
 * The places of stock updates of one process that wait for a POS: as many as requests may wait for an outcome, and 100
 * at least. Half are for one user at most. Without a place an update can only be refused, as it has no row.
 */
export function createPosUpdatePlaces(
  waitingRequests: number,
  bounds: Bounds,
): BoundPlaces<UserId> {
  const ofAll = Math.max(waitingRequests, LEAST);
  return createBoundPlaces('waiting_pos_updates', { ofAll, ofKey: halfOf(ofAll) }, bounds);
}
