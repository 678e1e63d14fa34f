import { BOUNDS } from '../platform/config/bound-table';
import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { type BoundPlaces, createBoundPlaces, halfOf } from '../platform/places';

/**
 * The rollouts that a worker looks at four times a second. Each costs as many statements, and a heartbeat to Temporal
 * every 0.7 s: with 1,000 at once, a statement of anything else waited 200 ms.
 */
export const MOST_ROLLOUTS_AT_WORK = BOUNDS.rollouts_at_work.limit;

/** The places of rollouts in this worker, by their users. */
export function createRolloutPlaces(bounds: Bounds): BoundPlaces<UserId> {
  const limits = { ofAll: MOST_ROLLOUTS_AT_WORK, ofKey: halfOf(MOST_ROLLOUTS_AT_WORK) };
  return createBoundPlaces<UserId>('rollouts_at_work', limits, bounds);
}
