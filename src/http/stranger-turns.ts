import type { BoundName } from '../platform/config/bounds';
import type { TurnOptions } from '../platform/turns-by-key';
import { networkOf } from './client-address';
import type { RequestContext } from './state';
import { createTurns, type TurnDeps } from './turns';

/**
 * Whether a stranger is known takes a statement of a millisecond or two, so that few at once are thousands a second,
 * and half of the connections to Postgres stay free of strangers. Those who wait get their turns address by address,
 * and an address has half of all at most: however many one sends, another's waits for a few.
 */
const STRANGERS: TurnOptions = {
  atOnce: 5,
  mostWaiting: 2_500,
  longestWaitMs: 5_000,
  ofAll: { atOnce: 10, mostWaiting: 5_000 },
};

/** Turns of requests whose sender is not known yet. */
export interface StrangerTurns {
  /**
   * Finds out about the sender of a request in a turn of its address. Throws the 503 if there is none in time, or
   * the process stops. A caller who leaves waits no longer, and gets no turn.
   */
  take<T>(request: Pick<RequestContext, 'res' | 'state'>, work: () => Promise<T>): Promise<T>;
}

export function createStrangerTurns(name: BoundName, deps: TurnDeps): StrangerTurns {
  const turns = createTurns<string>(name, STRANGERS, deps);
  return { take: ({ res, state }, work) => turns.take(networkOf(state.address), res, work) };
}
