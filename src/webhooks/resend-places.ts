import type { UserId } from '../platform/ids';
import type { Bounds } from '../platform/config/bounds';
import { createPlacesByKey } from '../platform/places-by-key';

/**
 * The most resends and counts by filter of one user at once, in a process. Each is a series of statements of up to a
 * second over what may be millions of deliveries: twenty of them would hold every connection.
 */
export const RESENDS_OF_A_USER = 2;

/** Limits the resends and counts by filter that each user has at work. */
export interface ResendPlaces {
  /** Takes a place of the user; the returned function gives it back, once. Undefined: all of them are taken. */
  enter(userId: UserId): (() => void) | undefined;
}

export function createResendPlaces(bounds: Bounds): ResendPlaces {
  const places = createPlacesByKey<UserId>();
  const bound = bounds.declare('resends_of_a_user', {
    limit: RESENDS_OF_A_USER,
    used: () => places.most(),
  });
  return {
    enter(userId) {
      if (!places.take(userId, RESENDS_OF_A_USER)) {
        bound.hit();
        return undefined;
      }
      return () => places.giveBack(userId);
    },
  };
}
