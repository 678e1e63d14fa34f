import { StatementTimeoutError } from './connection-errors';

export interface ConnectionSlots {
  readonly usage: () => { readonly used: number; readonly waiting: number };
  /** Waits in line for the right to use one connection; resolves with what gives it back. */
  readonly acquire: () => Promise<() => void>;
}

/**
 * The line in front of the pool. The library has one of its own, but a statement cannot leave that one safely: while
 * its connection is being opened, cancelling it costs the pool that connection; once it is sent behind another
 * statement, cancelling it shifts every later answer by one. So nothing is handed over before a connection is free.
 */
export function createSlots(size: number, patienceMs: number): ConnectionSlots {
  let free = size;
  const waiting = new Set<() => void>(); // keeps insertion order: first come, first served

  function giveBack(): void {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  }

  return {
    usage: () => ({ used: size - free, waiting: waiting.size }),
    async acquire() {
      if (free > 0) free -= 1;
      else await takeTurn(waiting, patienceMs);
      let held = true;
      return () => {
        if (held) giveBack();
        held = false;
      };
    },
  };
}

function takeTurn(waiting: Set<() => void>, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const onTurn = () => {
      waiting.delete(onTurn);
      clearTimeout(timer);
      resolve();
    };
    const onLate = () => {
      waiting.delete(onTurn);
      reject(new StatementTimeoutError(patienceMs, 'waiting for a free connection'));
    };
    const timer = patienceMs > 0 ? setTimeout(onLate, patienceMs) : undefined;
    waiting.add(onTurn);
  });
}
