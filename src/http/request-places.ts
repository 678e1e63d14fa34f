import type { Bounds } from '../platform/config/bounds';
import type { UserId } from '../platform/ids';
import { type BoundPlaces, createBoundPlaces, halfOf, type Leave } from '../platform/places';
import { serviceBusy } from '../platform/service-busy';
import type { RequestContext } from './state';

/** Far more than the connections to Postgres can serve at once, and what they hold is small. */
const MOST_WITHOUT_BODY = 1_000;

/**
 * The places of the requests with a body that one process works on at once: from the end of their body until their row
 * is written, or their answer. Requests beyond a process's capacity would wait ever longer behind slow statements. Past
 * the limit they are refused at once, and accepted ones are answered as usual.
 */
export function createWorkPlaces(limit: number, bounds: Bounds): BoundPlaces {
  return createBoundPlaces('working_requests', { ofAll: limit }, bounds);
}

/**
 * The places of the requests without a body that one process works on at once, until their row is written or their
 * answer. They wait for the same connections as those with one; half of the places are for one user at most.
 */
export function createReadPlaces(bounds: Bounds): BoundPlaces<UserId> {
  const limits = { ofAll: MOST_WITHOUT_BODY, ofKey: halfOf(MOST_WITHOUT_BODY) };
  return createBoundPlaces('requests_without_body', limits, bounds);
}

/**
 * Does the rest of a request in its place, which is free again once its row is written, with its answer at the latest.
 * Throws the 503 if it got none.
 */
export async function inPlace(
  { state }: Pick<RequestContext, 'state'>,
  leave: Leave | undefined,
  next: () => Promise<unknown>,
): Promise<void> {
  if (!leave) throw serviceBusy();
  state.onRowWritten = leave;
  try {
    await next();
  } finally {
    leave();
  }
}
