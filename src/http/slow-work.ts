import type { UserId } from '../platform/ids';
import { halfOf } from '../platform/places';
import type { SlowKind } from './route';
import { createRequestTurns, type RequestTurnDeps, type RequestTurns } from './request-turns';
import type { RequestContext } from './state';

/**
 * A user's slow requests of a kind: as many at work as keep the threads of previews busy and hide the latency of images
 * and name servers. Those who wait have sent only their head.
 */
const SLOW = { atOnce: { ofKey: 8 }, waiting: { ofKey: 500 }, longestWaitMs: 20_000 };

/**
 * The turns of each user for requests whose work may take seconds, whatever the caller does. Each kind has its own, so
 * that stored texts, which are read in milliseconds, do not wait for silent strangers. A request that asks strangers
 * holds a place among `WORKING_REQUESTS` for as long: at most half of the places are for one user.
 */
export function createSlowTurns(
  workingRequests: number,
  deps: RequestTurnDeps,
): Readonly<Record<SlowKind, RequestTurns<UserId>>> {
  const ofKey = Math.min(SLOW.atOnce.ofKey, halfOf(workingRequests));
  const strangers = { ...SLOW, atOnce: { ofKey } };
  return {
    'asks strangers': createRequestTurns('stranger_requests_of_a_user', strangers, deps),
    'reads texts': createRequestTurns('text_reads_of_a_user', SLOW, deps),
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
