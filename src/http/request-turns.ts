import type { ServerResponse } from 'node:http';
import type { BoundName, Bounds } from '../platform/config/bounds';
import type { Leave } from '../platform/places';
import { serviceBusy } from '../platform/service-busy';
import { createTurns, type TurnLimits } from '../platform/turns';
import { callerGone, whenClosed } from './when-closed';

/** Turns of requests by a key, such as their user. */
export interface RequestTurns<Key> {
  /**
   * Does the work of a request in a turn of its key. Throws the 503 if there is none in time, or the process stops. A
   * caller who leaves waits no longer, and gets no turn.
   */
  take<T>(key: Key, response: ServerResponse, work: () => Promise<T>): Promise<T>;
}

export interface RequestTurnDeps {
  readonly bounds: Bounds;
  /** Fires at the first moment of a shutdown, after which nobody waits: a turn may come later than the process lives. */
  readonly stopping: AbortSignal;
}

/** Turns with the bound that counts who gets none; it is as full as turns are taken and waited for. */
export function createRequestTurns<Key>(
  name: BoundName,
  limits: TurnLimits,
  { bounds, stopping }: RequestTurnDeps,
): RequestTurns<Key> {
  const turns = createTurns<Key>(limits);
  const { atOnce, waiting } = turns;
  const used = () => atOnce.used() + waiting.used();
  const bound = bounds.declare(name, { limit: atOnce.limit + waiting.limit, used });
  stopping.addEventListener('abort', () => turns.refuse());

  /** Waits for a turn while the caller does. */
  async function enter(key: Key, response: ServerResponse): Promise<Leave | undefined> {
    const gone = new AbortController();
    const giveUp = () => gone.abort();
    whenClosed(response, giveUp);
    const unwanted = stopping.aborted ? stopping : gone.signal;
    const leave = await turns.enter(key, { unwanted });
    response.off('close', giveUp);
    return leave;
  }

  return {
    async take(key, response, work) {
      const leave = await enter(key, response);
      if (response.closed) {
        leave?.();
        throw callerGone();
      }
      if (!leave) {
        bound.hit(String(key));
        throw serviceBusy();
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
