import type { Bounds } from '../config/bounds';
import { createPlaces } from '../places';

/** The requests of one process that wait for an outcome. */
export interface WaitingRoom {
  /** A place; undefined when all are taken, and then nobody waits: the row is safe, and the caller is told where it is. */
  enter(): WaitingPlace | undefined;
}

export interface WaitingPlace {
  /** Gives the place back; again and again changes nothing. */
  leave(): void;
}

/**
 * A request that waits holds its socket, its timer and its entries among the waiters, some 10 KB, for up to half a
 * minute; a delivery app that hangs makes all of them wait for the longest.
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
