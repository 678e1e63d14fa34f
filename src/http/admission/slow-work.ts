import { halfOf } from '../../platform/admission/permits';
import type { SlowKind } from '../route';
import type { RequestContext } from '../state';
import {
  createRequestPermits,
  QUEUES,
  type RequestPermitDeps,
  type RequestPermits,
} from './request-permits';

/**
 * The permits of each user for requests whose work may take seconds, whatever the caller does. Each kind has its own,
 * so that stored texts, which are read in milliseconds, do not wait for silent strangers. A request that asks strangers
 * holds one of the `WORKING_REQUESTS` permits for as long: at most half of these are for one user.
 */
export function createSlowPermits(
  workingRequests: number,
  deps: RequestPermitDeps,
): Readonly<Record<SlowKind, RequestPermits>> {
  const slow = QUEUES.stranger_requests_of_a_user;
  const ofKey = Math.min(slow.atOnce.ofKey, halfOf(workingRequests));
  const limits = { ...slow, atOnce: { ofKey } };
  return {
    'asks strangers': createRequestPermits('stranger_requests_of_a_user', deps, limits),
    'reads texts': createRequestPermits('text_reads_of_a_user', deps),
    searches: createRequestPermits('pages_of_a_user', deps),
    'fetches pictures': createRequestPermits('pictures_of_a_user', deps),
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
