import { BOUNDS } from '../platform/config/bound-table';
import type { Bounds } from '../platform/config/bounds';
import { createPlaces, type Leave } from '../platform/places';

/** The places of the pushes of this worker to each integration. */
export interface PushPlaces {
  /** Takes one of the integration's `limit` places, which may be another number each time. Undefined: all are taken. */
  enter(integrationId: number, limit: number): Leave | undefined;
  /** Places that are free now. */
  free(integrationId: number, limit: number): number;
}

/** The highest configurable limit of an integration; each push holds its payload in memory. */
export const MOST_PUSHES_AT_ONCE = BOUNDS.pushes_to_an_integration.limit;

/**
 * Counted per integration, so that a hanging app uses up only its own places. The metric reports the fullest one since
 * the last look, as pushes are short: a label per integration would have unbounded values.
 */
export function createPushPlaces(bounds: Bounds): PushPlaces {
  const bound = bounds.declare('pushes_to_an_integration', { limit: MOST_PUSHES_AT_ONCE });
  const places = createPlaces<number>({ ofKey: MOST_PUSHES_AT_ONCE });
  const free = (integrationId: number, limit: number) =>
    Math.max(0, limit - places.takenBy(integrationId));
  return {
    free,
    enter(integrationId, limit) {
      const leave = free(integrationId, limit) > 0 ? places.enter(integrationId) : undefined;
      if (leave) bound.meet(places.takenBy(integrationId));
      else bound.hit(String(integrationId));
      return leave;
    },
  };
}
