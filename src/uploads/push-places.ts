import type { Bounds } from '../platform/config/bounds';
import { createPlacesByKey } from '../platform/places-by-key';

/** How many pushes of this worker to each integration are in progress. */
export interface PushPlaces {
  /** Takes one of the integration's `limit` places; false = all are taken. */
  take(integrationId: number, limit: number): boolean;
  giveBack(integrationId: number): void;
  /** Places that are free now. */
  free(integrationId: number, limit: number): number;
}

/** The highest configurable limit of an integration; each push holds its payload in memory. */
export const MOST_PUSHES_AT_ONCE = 500;

/**
 * Counted per integration, so that a hanging app uses up only its own places. The metric reports the fullest one: a
 * label per integration would have unbounded values.
 */
export function createPushPlaces(bounds: Bounds): PushPlaces {
  const bound = bounds.declare('pushes_to_an_integration', { limit: MOST_PUSHES_AT_ONCE });
  const places = createPlacesByKey<number>();
  return {
    free: (integrationId, limit) => Math.max(0, limit - places.taken(integrationId)),
    take(integrationId, limit) {
      if (!places.take(integrationId, limit)) {
        bound.hit();
        return false;
      }
      bound.meet(places.taken(integrationId));
      return true;
    },
    giveBack: (integrationId) => places.giveBack(integrationId),
  };
}
