import type { Bounds } from '../config/bounds';
import type { UserId } from '../ids';
import { type BoundPlaces, createBoundPlaces } from '../places';

/**
 * The places of the requests of one process that wait for an outcome. Without one a caller does not wait: the row is
 * safe, and the answer says where its status is. A waiting request holds its socket, its timer and its entries among
 * the waiters, some 10 KB, for up to half a minute. A hanging delivery app makes all of its requests wait that long.
 */
export function createWaitingRoom(limit: number, bounds: Bounds): BoundPlaces<UserId> {
  return createBoundPlaces('waiting_requests', { ofAll: limit, ofKey: 'three quarters' }, bounds);
}
