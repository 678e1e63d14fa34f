import type { BoundName, Bounds } from './config/bounds';

/** A limited number of places in a process that are taken and given back. */
export interface Places {
  /**
   * Takes a place; the returned function gives it back, and may be called twice. Undefined: all are taken, which
   * counts as a hit.
   */
  enter(): (() => void) | undefined;
  /** Whether all are taken now. */
  areTaken(): boolean;
  /** Counts as a hit that something was refused because all are taken. */
  hit(): void;
}

export function createPlaces(name: BoundName, limit: number, bounds: Bounds): Places {
  let used = 0;
  const bound = bounds.declare(name, { limit, used: () => used });
  const areTaken = () => used >= limit;
  return {
    areTaken,
    hit: () => bound.hit(),
    enter() {
      if (areTaken()) {
        bound.hit();
        return undefined;
      }
      used += 1;
      let taken = true;
      return () => {
        if (taken) used -= 1;
        taken = false;
      };
    },
  };
}
