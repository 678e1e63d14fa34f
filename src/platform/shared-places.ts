import type { Places } from './places';
import { createPlacesByKey } from './places-by-key';

/** Places of which each key, such as a user, has at most a share at once. */
export interface SharedPlaces<Key> {
  /**
   * Takes a place for the key; the returned function gives it back, and may be called twice. Undefined: all are taken,
   * or the key has its share, which both count as a hit.
   */
  enter(key: Key): (() => void) | undefined;
}

/** Lets each key have half of these places, and one at least. */
export function shareHalf<Key>(places: Places, limit: number): SharedPlaces<Key> {
  const byKey = createPlacesByKey<Key>();
  const share = Math.max(1, Math.floor(limit / 2));
  return {
    enter(key) {
      if (!byKey.take(key, share)) {
        places.hit();
        return undefined;
      }
      const leavePlace = places.enter();
      if (!leavePlace) {
        byKey.giveBack(key);
        return undefined;
      }
      let isIn = true;
      return () => {
        if (isIn) byKey.giveBack(key);
        isIn = false;
        leavePlace();
      };
    },
  };
}
