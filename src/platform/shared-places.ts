import type { BoundName, Bounds } from './config/bounds';
import { createPlacesByKey } from './places-by-key';

/** Places in a process of which each key, such as a user, has at most half at once. */
export interface SharedPlaces<Key> {
  /**
   * Takes a place for the key; the returned function gives it back, and may be called twice. Undefined: all are taken,
   * or the key has its half, which both count as a hit.
   */
  enter(key: Key): (() => void) | undefined;
}

/** `limit` places, of which each key has half, and one at least. */
export function createSharedPlaces<Key>(
  name: BoundName,
  limit: number,
  bounds: Bounds,
): SharedPlaces<Key> {
  const half = Math.max(1, Math.floor(limit / 2));
  const byKey = createPlacesByKey<Key>();
  let used = 0;
  const bound = bounds.declare(name, { limit, used: () => used });
  return {
    enter(key) {
      if (used >= limit || !byKey.take(key, half)) {
        bound.hit();
        return undefined;
      }
      used += 1;
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        used -= 1;
        byKey.giveBack(key);
      };
    },
  };
}
