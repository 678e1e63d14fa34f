import { StatementTimeoutError } from './connection-errors';

export interface ConnectionPlaces {
  readonly usage: () => { readonly used: number; readonly waiting: number };
  /**
   * Waits for the right to use one connection, for `patienceMs` if it is given; resolves with the function that gives
   * it back.
   */
  readonly acquire: (patienceMs?: number) => Promise<() => void>;
  /** Rejects for all that wait. */
  readonly refuse: (error: unknown) => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The queue in front of the pool. The library has its own, but a statement cannot leave that one safely: cancelling
 * it while its connection is being opened costs the pool that connection, and cancelling it after it was sent behind
 * another statement shifts every later answer by one. So the library gets no statement before a connection is free.
 */
export function createPlaces(size: number, ownPatienceMs: number): ConnectionPlaces {
  let free = size;
  const waiting = new Set<Waiting>(); // keeps insertion order: first come, first served

  function giveBack(): void {
    const [next] = waiting;
    if (next) next.resolve();
    else free += 1;
  }

  return {
    usage: () => ({ used: size - free, waiting: waiting.size }),
    async acquire(patienceMs = ownPatienceMs) {
      if (free > 0) free -= 1;
      else await waitForPlace(waiting, patienceMs);
      let held = true;
      return () => {
        if (held) giveBack();
        held = false;
      };
    },
    refuse(error) {
      for (const each of waiting) each.reject(error);
    },
  };
}

function waitForPlace(waiting: Set<Waiting>, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leaveAnd = <Args extends unknown[]>(end: (...args: Args) => void) => {
      return (...args: Args) => {
        waiting.delete(each);
        clearTimeout(timer);
        end(...args);
      };
    };
    const each: Waiting = { resolve: leaveAnd(resolve), reject: leaveAnd(reject) };
    const onLate = () => {
      each.reject(new StatementTimeoutError(patienceMs, 'waiting for a free connection'));
    };
    const timer = patienceMs > 0 ? setTimeout(onLate, patienceMs) : undefined;
    waiting.add(each);
  });
}
