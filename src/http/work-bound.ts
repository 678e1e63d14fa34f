import type { Bounds } from '../platform/config/bounds';
import { createPlaces } from '../platform/places';

/** The requests that one process works on at once: from the end of their body until their row is written, or their answer. */
export interface WorkBound {
  /** Takes a place; the function gives it back, once. Undefined: all are taken. */
  enter(): (() => void) | undefined;
  /** Whether a request that arrives now may be refused before anything of it is read. Counts as a hit when it is so. */
  refusesAtOnce(): boolean;
}

/**
 * What comes faster than it is worked off would wait ever longer, behind statements that take as long; past the bound
 * it is refused at once, and those inside are answered as ever.
 */
export function createWorkBound(limit: number, bounds: Bounds): WorkBound {
  const places = createPlaces('working_requests', limit, bounds);
  return { enter: () => places.enter(), refusesAtOnce: () => places.areTaken() };
}
