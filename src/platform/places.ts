import type { BoundName, Bounds } from './config/bounds';

/** How many places there are; any number where none is given. */
export interface PlaceLimits {
  /** Those of all keys together. */
  readonly ofAll?: number;
  /** Those of each key, such as a user. */
  readonly ofKey?: number;
}

/** How many places are taken of how many. */
export interface Fill {
  /** The places of all, or those of a key where only these are limited. */
  readonly limit: number;
  /** How many of them are taken: by all, or by the key that has taken the most. */
  readonly used: () => number;
}

/** Gives a place back; may be called twice. */
export type Leave = () => void;

/**
 * How many are at work at once in a process. A place is taken now or not at all; nobody waits here, see `Turns`.
 */
export interface Places<Key = void> extends Fill {
  /** Takes a place for the key. Undefined: all are taken, or the key has taken all of its own. */
  enter(key: Key): Leave | undefined;
  /** How many the key has taken; always 0 where keys have no limit. */
  takenBy(key: Key): number;
}

/** Places that report to the bound of a name how full they are, and each `enter` without a place as a hit. */
export interface BoundPlaces<Key = void> extends Places<Key> {
  /** Counts as a hit that somebody was refused who did not try to enter. */
  hit(): void;
}

export function createPlaces<Key = void>({
  ofAll = Infinity,
  ofKey = Infinity,
}: PlaceLimits): Places<Key> {
  let taken = 0;
  /** Only where keys have a limit: a statement, and most requests, have none. */
  const byKey = ofKey === Infinity ? undefined : new Map<Key, number>();
  const takenBy = (key: Key) => byKey?.get(key) ?? 0;

  function count(key: Key, change: 1 | -1): void {
    taken += change;
    if (!byKey) return;
    const own = takenBy(key) + change;
    if (own > 0) byKey.set(key, own);
    else byKey.delete(key);
  }

  return {
    limit: ofAll === Infinity ? ofKey : ofAll,
    used: () => (byKey && ofAll === Infinity ? Math.max(0, ...byKey.values()) : taken),
    takenBy,
    enter(key) {
      if (taken >= ofAll || takenBy(key) >= ofKey) return undefined;
      count(key, 1);
      let isHeld = true;
      return () => {
        if (isHeld) count(key, -1);
        isHeld = false;
      };
    },
  };
}

export function createBoundPlaces<Key = void>(
  name: BoundName,
  limits: PlaceLimits,
  bounds: Bounds,
): BoundPlaces<Key> {
  const places = createPlaces<Key>(limits);
  const bound = bounds.declare(name, places);
  return {
    ...places,
    hit: () => bound.hit(),
    enter(key) {
      const leave = places.enter(key);
      if (!leave) bound.hit();
      return leave;
    },
  };
}

/** The share of one key where none may take all: half of the places, and one at least. */
export function halfOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}
