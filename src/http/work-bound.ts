import type { Bounds } from '../platform/config/bounds';
import { createPlaces } from '../platform/places';

/**
 * Limits the requests that one process works on at once: from the end of their body until their row is written, or
 * their answer.
 */
export interface WorkBound {
  /** Takes a place; the returned function gives it back, once. Undefined: all are taken. */
  enter(): (() => void) | undefined;
  /** Whether all places are taken now. */
  isFull(): boolean;
  /** Counts a request that was refused before it was read. */
  hit(): void;
}

/**
 * Requests beyond a process's capacity would wait ever longer behind slow statements. Past the limit they are refused
 * at once, and accepted ones are answered as usual.
 */
export function createWorkBound(limit: number, bounds: Bounds): WorkBound {
  const places = createPlaces('working_requests', limit, bounds);
  return { enter: () => places.enter(), isFull: () => places.areTaken(), hit: () => places.hit() };
}
