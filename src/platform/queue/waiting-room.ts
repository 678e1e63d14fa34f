import type { Bounds } from '../config/bounds';
import { createPlaces } from '../places';

/** The requests of one process that wait for an outcome. */
export interface WaitingRoom {
  /**
   * A place; undefined if all are taken. Then the caller does not wait: the row is safe, and the answer says where
   * its status is.
   */
  enter(): WaitingPlace | undefined;
}

export interface WaitingPlace {
  /** Gives the place back; may be called repeatedly. */
  leave(): void;
}

/**
 * A waiting request holds its socket, its timer and its entries among the waiters, some 10 KB, for up to half a
 * minute. A hanging delivery app makes all of its requests wait that long.
 */
export function createWaitingRoom(limit: number, bounds: Bounds): WaitingRoom {
  const places = createPlaces('waiting_requests', limit, bounds);
  return {
    enter() {
      const leave = places.enter();
      return leave && { leave };
    },
  };
}
