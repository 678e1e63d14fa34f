import type { Bounds } from '../config/bounds';
import type { UserId } from '../ids';
import { createPlaces } from '../places';
import { shareHalf } from '../shared-places';

/** The requests of one process that wait for an outcome. */
export interface WaitingRoom {
  /**
   * A place; undefined if all are taken. Then the caller does not wait: the row is safe, and the answer says where
   * its status is.
   */
  enter(): WaitingPlace | undefined;
  /**
   * A place for a request of the user that can only be refused without one, as it has no row. Undefined also if the
   * user has half of all places in this way; one is there even where nobody else may wait.
   */
  enterWithoutRow(userId: UserId): WaitingPlace | undefined;
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
  const places = createPlaces('waiting_requests', Math.max(1, limit), bounds);
  const withoutRow = shareHalf<UserId>(places, limit);

  function enter(): (() => void) | undefined {
    if (limit > 0) return places.enter();
    places.hit();
    return undefined;
  }

  return {
    enter: () => asPlace(enter()),
    enterWithoutRow: (userId) => asPlace(withoutRow.enter(userId)),
  };
}

function asPlace(leave: (() => void) | undefined): WaitingPlace | undefined {
  return leave && { leave };
}
