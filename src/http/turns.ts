import type { ServerResponse } from 'node:http';
import type { BoundName, Bounds } from '../platform/config/bounds';
import { serviceBusy } from '../platform/service-busy';
import { createTurnsByKey, type TurnOptions } from '../platform/turns-by-key';
import { callerGone, whenClosed } from './when-closed';

/** Turns of requests by a key, such as their user. */
export interface Turns<Key> {
  /**
   * Does the work of a request in a turn of its key. Throws the 503 if there is none in time, or the process stops. A
   * caller who leaves waits no longer, and gets no turn.
   */
  take<T>(key: Key, response: ServerResponse, work: () => Promise<T>): Promise<T>;
}

export interface TurnDeps {
  readonly bounds: Bounds;
  /** Fires at the first moment of a shutdown, after which nobody waits: a turn may come later than the process lives. */
  readonly stopping: AbortSignal;
}

/**
 * Turns, with the bound that counts who gets none: its limit is as many as may have a turn or wait for one, of all keys
 * if that is limited, else of one.
 */
export function createTurns<Key>(
  name: BoundName,
  options: TurnOptions,
  { bounds, stopping }: TurnDeps,
): Turns<Key> {
  const turns = createTurnsByKey<Key>(options, stopping);
  const { atOnce, mostWaiting } = options.ofAll ?? options;
  const used = () => (options.ofAll ? turns.all() : turns.most());
  const bound = bounds.declare(name, { limit: atOnce + mostWaiting, used });

  /** Waits for a turn while the caller does. */
  async function enter(key: Key, response: ServerResponse): ReturnType<typeof turns.enter> {
    const gone = new AbortController();
    const leave = () => gone.abort();
    whenClosed(response, leave);
    const end = await turns.enter(key, gone.signal);
    response.off('close', leave);
    return end;
  }

  return {
    async take(key, response, work) {
      const end = await enter(key, response);
      if (response.closed) {
        end?.();
        throw callerGone();
      }
      if (!end) {
        bound.hit();
        throw serviceBusy();
      }
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
