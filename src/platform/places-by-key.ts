/** How many places each key has taken, such as a user or an integration. */
export interface PlacesByKey<Key> {
  /** Takes one of the key's `limit` places; false = all are taken. */
  take(key: Key, limit: number): boolean;
  /** Must be called once for each place taken. */
  giveBack(key: Key): void;
  taken(key: Key): number;
  /** The number of the key that has taken the most. */
  most(): number;
}

export function createPlacesByKey<Key>(): PlacesByKey<Key> {
  const counts = new Map<Key, number>();
  const taken = (key: Key) => counts.get(key) ?? 0;
  return {
    taken,
    most: () => Math.max(0, ...counts.values()),
    take(key, limit) {
      if (taken(key) >= limit) return false;
      counts.set(key, taken(key) + 1);
      return true;
    },
    giveBack(key) {
      const left = taken(key) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
