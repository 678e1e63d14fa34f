import type { Bounds } from '../platform/config/bounds';
import { createTurnsByKey, type TurnOptions } from '../platform/turns-by-key';
import type { UserId } from '../platform/ids';
import type { RequestContext } from './state';
import type { UserTurns } from './middleware/own-turn';

/**
 * A user's slow requests: as many at work as keep the threads of previews busy and hide the latency of images and name
 * servers. Those who wait have sent only their head.
 */
const SLOW: TurnOptions = { atOnce: 8, mostWaiting: 500, longestWaitMs: 20_000 };

/**
 * The turns of each user for requests whose work may take seconds, whatever the caller does: each holds a place among
 * `WORKING_REQUESTS`, a thread, sockets or memory for as long. At most half of the places are for one user.
 */
export function createSlowTurns(workingRequests: number, bounds: Bounds): UserTurns {
  const atOnce = Math.max(1, Math.min(SLOW.atOnce, Math.floor(workingRequests / 2)));
  const turns = createTurnsByKey<UserId>({ ...SLOW, atOnce });
  const limit = atOnce + SLOW.mostWaiting;
  return {
    turns,
    bound: bounds.declare('slow_requests_of_a_user', { limit, used: () => turns.most() }),
  };
}

/** Throws if the route of a request does work that may take seconds and is not declared `isSlow`, which is a defect. */
export function requireDeclaredSlow({ state: { route } }: Pick<RequestContext, 'state'>): void {
  if (route?.isSlow !== true) throw new Error(`the route ${route?.id} is slow: declare it so`);
}
