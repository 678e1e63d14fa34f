import type { BoundRow } from './bound-row';
import { type BoundName, BOUNDS } from './bounds';
import { type Bounds, limitOf } from './bound-metrics';
import { createShares, type Fill, type Held, type ShareLimits, type Shares } from './shares';

/** Gives a permit back; may be called twice. */
export type Release = () => void;

/** How many are at work at once in a process: shares of which each takes one. */
export interface Permits<Key = void> extends Fill {
  /** Takes a permit for the key. Undefined: all are taken, or the key has taken all of its own. */
  take(key: Key): Release | undefined;
  /** How many the key has taken; always 0 where keys have no limit. */
  takenBy(key: Key): number;
}

/** Permits that report to the bound of a name how many are taken, and each `take` without a permit as a hit. */
export interface BoundPermits<Key extends string = string> extends Permits<Key> {
  /** Whether some keys would get none. */
  isTight(): boolean;
  /** Whether `take` would succeed. */
  hasPermitFor(key: Key): boolean;
  /** Counts as a hit that somebody was refused who did not try to take one. */
  hit(key: Key): void;
}

/** Shares that report to the bound of a name how much is held, and each refusal as a hit. */
export type BoundShares<Key extends string = string> = Pick<Shares<Key>, 'take' | 'isPressedBy'>;

export function createPermits<Key = void>(limits: ShareLimits): Permits<Key> {
  const shares = createShares<Key>(limits);
  return {
    limit: shares.limit,
    used: shares.used,
    takenBy: shares.heldBy,
    take: (key) => shares.take(key, 1)?.release,
  };
}

/** As many permits as the table says, or `limit` where that is a setting; a key may have its share of the table. */
export function createBoundPermits<Key extends string = string>(
  name: BoundName,
  bounds: Bounds,
  limit = limitOf(name),
): BoundPermits<Key> {
  const { shares, bound } = declareShares<Key>(name, bounds, limit);
  return {
    limit: shares.limit,
    used: shares.used,
    takenBy: shares.heldBy,
    isTight: shares.isTight,
    hasPermitFor: shares.hasAnyFor,
    hit: (key) => bound.hit(key),
    take(key) {
      const held = shares.take(key, 1);
      if (!held) bound.hit(key);
      return held?.release;
    },
  };
}

/** The same for something of which one may take any amount. */
export function createBoundShares<Key extends string = string>(
  name: BoundName,
  bounds: Bounds,
  limit = limitOf(name),
): BoundShares<Key> {
  const { shares, bound } = declareShares<Key>(name, bounds, limit);
  const orHit = (key: Key, isGiven: boolean) => {
    if (!isGiven) bound.hit(key);
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

function declareShares<Key extends string>(name: BoundName, bounds: Bounds, limit: number) {
  const shares = createShares<Key>(sharesOf(name, limit));
  return { shares, bound: bounds.declare(name, shares) };
}

function sharesOf(name: BoundName, limit: number): ShareLimits {
  const { share }: BoundRow = BOUNDS[name];
  if (share === undefined) return { ofKey: limit };
  switch (share) {
    case 'three quarters':
      return { ofAll: limit, ofKey: 'three quarters' };
    case 'half':
      return { ofAll: limit, ofKey: halfOf(limit) };
    case 'key by key':
      return { ofAll: limit };
  }
}

/** The share of one key where none may take all: half of them, and one at least. */
export function halfOf(permits: number): number {
  return Math.max(1, Math.floor(permits / 2));
}
