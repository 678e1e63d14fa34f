import type { Bounds } from '../platform/config/bounds';

/** How many pushes of this worker are under way to each integration. */
export interface PushRooms {
  /** Takes a place among the `limit` of the integration; false = all are taken. */
  enter(integrationId: number, limit: number): boolean;
  leave(integrationId: number): void;
  /** Places that are free now. */
  free(integrationId: number, limit: number): number;
}

/** What may be configured for one integration; each push holds its payload in memory. */
export const MOST_IN_FLIGHT = 500;

/**
 * Counted by integration, so that an app that hangs uses up its own places and nobody else's.
 * The bound tells of the fullest: a label for each integration would have more values than code has words.
 */
export function createPushRooms(bounds: Bounds): PushRooms {
  const bound = bounds.declare('pushes_to_an_integration', { limit: MOST_IN_FLIGHT });
  const taken = new Map<number, number>();
  const takenOf = (integrationId: number) => taken.get(integrationId) ?? 0;
  const free = (integrationId: number, limit: number) =>
    Math.max(0, limit - takenOf(integrationId));
  return {
    free,
    enter(integrationId, limit) {
      if (free(integrationId, limit) === 0) {
        bound.hit();
        return false;
      }
      taken.set(integrationId, takenOf(integrationId) + 1);
      bound.meet(takenOf(integrationId));
      return true;
    },
    leave(integrationId) {
      const left = takenOf(integrationId) - 1;
      if (left > 0) taken.set(integrationId, left);
      else taken.delete(integrationId);
    },
  };
}
