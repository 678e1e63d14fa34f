import type { BoundName, Bounds } from './config/bounds';
import { createShares, type Fill, type Held, type ShareLimits, type Shares } from './shares';

/** Gives a place back; may be called twice. */
export type Leave = () => void;

/** How many are at work at once in a process: shares of which each takes one. */
export interface Places<Key = void> extends Fill {
  /** Takes a place for the key. Undefined: all are taken, or the key has taken all of its own. */
  enter(key: Key): Leave | undefined;
  /** How many the key has taken; always 0 where keys have no limit. */
  takenBy(key: Key): number;
}

/** Whom a bound counts with, as the log has it. */
type BoundKey = string | void;

/** Places that report to the bound of a name how full they are, and each `enter` without a place as a hit. */
export interface BoundPlaces<Key extends BoundKey = void> extends Places<Key> {
  /** Whether some keys would get none. */
  isTight(): boolean;
  /** Whether `enter` would succeed. */
  hasPlaceFor(key: Key): boolean;
  /** Counts as a hit that somebody was refused who did not try to enter. */
  hit(key: Key): void;
}

/** Shares that report to the bound of a name how much is held, and each refusal as a hit. */
export type BoundShares<Key extends BoundKey = void> = Pick<Shares<Key>, 'take' | 'isPressedBy'>;

export function createPlaces<Key = void>(limits: ShareLimits): Places<Key> {
  const shares = createShares<Key>(limits);
  return {
    limit: shares.limit,
    used: shares.used,
    takenBy: shares.heldBy,
    enter: (key) => shares.take(key, 1)?.release,
  };
}

export function createBoundPlaces<Key extends BoundKey = void>(
  name: BoundName,
  limits: ShareLimits,
  bounds: Bounds,
): BoundPlaces<Key> {
  const shares = createShares<Key>(limits);
  const bound = bounds.declare(name, shares);
  const hit = (key: Key) => bound.hit(key ?? undefined);
  return {
    limit: shares.limit,
    used: shares.used,
    takenBy: shares.heldBy,
    isTight: shares.isTight,
    hasPlaceFor: shares.hasRoomFor,
    hit,
    enter(key) {
      const held = shares.take(key, 1);
      if (!held) hit(key);
      return held?.release;
    },
  };
}

export function createBoundShares<Key extends BoundKey = void>(
  name: BoundName,
  limits: ShareLimits,
  bounds: Bounds,
): BoundShares<Key> {
  const shares = createShares<Key>(limits);
  const bound = bounds.declare(name, shares);
  const orHit = (key: Key, isGiven: boolean) => {
    if (!isGiven) bound.hit(key ?? undefined);
    return isGiven;
  };
  return {
    isPressedBy: shares.isPressedBy,
    take(key, amount): Held | undefined {
      const held = shares.take(key, amount);
      if (!orHit(key, held !== undefined) || !held) return undefined;
      let isReleased = false;
      return {
        // What is released already is refused nothing.
        resize: (wanted) => orHit(key, held.resize(wanted) || isReleased) && !isReleased,
        release() {
          isReleased = true;
          held.release();
        },
      };
    },
  };
}

/** The share of one key where none may take all: half of the places, and one at least. */
export function halfOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}
