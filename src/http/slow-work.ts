import type { UserId } from '../platform/ids';
import type { TurnOptions } from '../platform/turns-by-key';
import type { SlowKind } from './route';
import type { RequestContext } from './state';
import { createTurns, type TurnDeps, type Turns } from './turns';

/**
 * A user's slow requests of a kind: as many at work as keep the threads of previews busy and hide the latency of images
 * and name servers. Those who wait have sent only their head.
 */
const SLOW: TurnOptions = { atOnce: 8, mostWaiting: 500, longestWaitMs: 20_000 };

/**
 * The turns of each user for requests whose work may take seconds, whatever the caller does. Each kind has its own, so
 * that stored texts, which are read in milliseconds, do not wait for silent strangers. A request that asks strangers
 * holds a place among `WORKING_REQUESTS` for as long: at most half of the places are for one user.
 */
export function createSlowTurns(
  workingRequests: number,
  deps: TurnDeps,
): Readonly<Record<SlowKind, Turns<UserId>>> {
  const halfOfPlaces = Math.max(1, Math.floor(workingRequests / 2));
  const strangers = { ...SLOW, atOnce: Math.min(SLOW.atOnce, halfOfPlaces) };
  return {
    'asks strangers': createTurns('stranger_requests_of_a_user', strangers, deps),
    'reads texts': createTurns('text_reads_of_a_user', SLOW, deps),
  };
}

/** Throws if the route of a request does slow work of this kind and does not declare it, which is a defect. */
export function requireDeclaredSlow(
  { state: { route } }: Pick<RequestContext, 'state'>,
  kind: SlowKind,
): void {
  if (route?.slow !== kind)
    throw new Error(`the route ${route?.id} ${kind} but does not declare it as slow`);
}
