import type { Bounds } from '../platform/config/bounds';
import { createPlaces } from '../platform/places';
import { serviceBusy } from '../platform/service-busy';
import type { RequestContext } from './state';

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

/**
 * Does the rest of a request in its place, which is free again once its row is written, with its answer at the latest.
 * Throws the 503 if it got none.
 */
export async function inPlace(
  { state }: Pick<RequestContext, 'state'>,
  leave: (() => void) | undefined,
  next: () => Promise<unknown>,
): Promise<void> {
  if (!leave) throw serviceBusy();
  state.onRowWritten = leave;
  try {
    await next();
  } finally {
    leave();
  }
}
