import { BOUNDS } from '../platform/config/bound-table';
import type { Bounds } from '../platform/config/bounds';
import { type BoundPlaces, createBoundPlaces, type Leave } from '../platform/places';
import { serviceBusy } from '../platform/service-busy';
import { networkOf } from './client-address';
import { createRequestTurns, type RequestTurnDeps, type RequestTurns } from './request-turns';
import type { RequestContext } from './state';

/** Whom a request's share is counted with: its user, or the network of its address while that is not known. */
export type CallerKey = string;

export function callerKeyOf({ state }: Pick<RequestContext, 'state'>): CallerKey {
  // Set by the guard that finds the user; requests of strangers have none.
  const caller = state.caller as typeof state.caller | undefined;
  return caller?.userId ?? networkOf(state.address);
}

/**
 * The places of the requests with a body that one process works on at once: from the end of their body until their row
 * is written, or their answer. Requests beyond a process's capacity would wait ever longer behind slow statements. Past
 * the limit they are refused at once, and accepted ones are answered as usual.
 */
export function createWorkPlaces(limit: number, bounds: Bounds): BoundPlaces<CallerKey> {
  return createBoundPlaces('working_requests', { ofAll: limit, ofKey: 'three quarters' }, bounds);
}

/**
 * The places of the requests without a body that one process works on at once, until their row is written or their
 * answer. They wait for the same connections as those with one, and are far more than these can serve at once; what
 * they hold is small.
 */
export function createReadPlaces(bounds: Bounds): BoundPlaces<CallerKey> {
  const limits = { ofAll: BOUNDS.requests_without_body.limit, ofKey: 'three quarters' } as const;
  return createBoundPlaces('requests_without_body', limits, bounds);
}

/** One at a time: the decoder has threads of its own, and four of them would leave the event loop no processor. */
export function createInflateTurns(deps: RequestTurnDeps): RequestTurns<CallerKey> {
  const waiting = { ofAll: BOUNDS.inflating_bodies.limit - 1, ofKey: 'three quarters' } as const;
  const limits = { atOnce: { ofAll: 1 }, waiting, longestWaitMs: 20_000 };
  return createRequestTurns('inflating_bodies', limits, deps);
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
