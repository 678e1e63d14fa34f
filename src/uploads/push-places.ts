import type { Bounds } from '../platform/config/bounds';

/** How many pushes of this worker to each integration are in progress. */
export interface PushPlaces {
  /** Takes one of the integration's `limit` places; false = all are taken. */
  take(integrationId: number, limit: number): boolean;
  giveBack(integrationId: number): void;
  /** Places that are free now. */
  free(integrationId: number, limit: number): number;
}

/** The highest configurable limit of an integration; each push holds its payload in memory. */
export const MOST_IN_FLIGHT = 500;

/**
 * Counted per integration, so that a hanging app uses up only its own places. The metric reports the fullest one: a
 * label per integration would have unbounded values.
 */
export function createPushPlaces(bounds: Bounds): PushPlaces {
  const bound = bounds.declare('pushes_to_an_integration', { limit: MOST_IN_FLIGHT });
  const taken = new Map<number, number>();
  const takenOf = (integrationId: number) => taken.get(integrationId) ?? 0;
  const free = (integrationId: number, limit: number) =>
    Math.max(0, limit - takenOf(integrationId));
  return {
    free,
    take(integrationId, limit) {
      if (free(integrationId, limit) === 0) {
        bound.hit();
        return false;
      }
      taken.set(integrationId, takenOf(integrationId) + 1);
      bound.meet(takenOf(integrationId));
      return true;
    },
    giveBack(integrationId) {
      const left = takenOf(integrationId) - 1;
      if (left > 0) taken.set(integrationId, left);
      else taken.delete(integrationId);
    },
  };
}
