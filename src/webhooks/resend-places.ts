import type { UserId } from '../platform/ids';
import type { Bounds } from '../platform/config/bounds';

/**
 * The most resends and counts by filter of one user at once, in a process. Each is a row of statements of up to a
 * second over what may be millions of deliveries: twenty of them would hold every connection.
 */
export const RESENDS_OF_A_USER = 2;

/** Limits the resends and counts by filter that each user has at work. */
export interface ResendPlaces {
  /** Takes a place of the user; the returned function gives it back, once. Undefined: all of them are taken. */
  enter(userId: UserId): (() => void) | undefined;
}

export function createResendPlaces(bounds: Bounds): ResendPlaces {
  const used = new Map<UserId, number>();
  const bound = bounds.declare('resends_of_a_user', {
    limit: RESENDS_OF_A_USER,
    used: () => Math.max(0, ...used.values()),
  });
  return {
    enter(userId) {
      const taken = used.get(userId) ?? 0;
      if (taken >= RESENDS_OF_A_USER) {
        bound.hit();
        return undefined;
      }
      used.set(userId, taken + 1);
      return () => {
        const left = (used.get(userId) ?? 0) - 1;
        if (left > 0) used.set(userId, left);
        else used.delete(userId);
      };
    },
  };
}
