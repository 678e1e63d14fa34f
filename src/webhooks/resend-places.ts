import { BOUNDS } from '../platform/config/bound-table';
import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { type BoundPlaces, createBoundPlaces } from '../platform/places';

export type ResendPlaces = BoundPlaces<UserId>;

/**
 * The places of each user for resends and counts by filter at once, in a process. Each is a series of statements of up
 * to a second over what may be millions of deliveries: twenty of them would hold every connection.
 */
export function createResendPlaces(bounds: Bounds): ResendPlaces {
  return createBoundPlaces('resends_of_a_user', { ofKey: BOUNDS.resends_of_a_user.limit }, bounds);
}
