import type { BoundName } from '../platform/config/bounds';
import type { TurnLimits } from '../platform/turns';
import { networkOf } from './client-address';
import { createRequestTurns, type RequestTurnDeps } from './request-turns';
import type { RequestContext } from './state';

/**
 * Whether a stranger is known takes a statement of a millisecond or two, so that few at once are thousands a second,
 * and half of the connections to Postgres stay free of strangers. Those who wait get their turns address by address,
 * and an address has half of all at most: however many one sends, another's waits for a few.
 */
const STRANGERS: TurnLimits = {
  atOnce: { ofAll: 10, ofKey: 5 },
  waiting: { ofAll: 5_000, ofKey: 2_500 },
  longestWaitMs: 5_000,
};

/** Turns of requests whose sender is not known yet. */
export interface StrangerTurns {
  /** Finds out about the sender of a request in a turn of its address, see `RequestTurns`. */
  take<T>(request: Pick<RequestContext, 'res' | 'state'>, work: () => Promise<T>): Promise<T>;
}

export function createStrangerTurns(name: BoundName, deps: RequestTurnDeps): StrangerTurns {
  const turns = createRequestTurns<string>(name, STRANGERS, deps);
  return { take: ({ res, state }, work) => turns.take(networkOf(state.address), res, work) };
}
