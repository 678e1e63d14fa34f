import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How many deliveries one claim may bring. Requests must leave while the worker's lease holds (`isLeaseHeld`), so a
 * process that gets too little of a core, and takes as many as ever, begins none of them in time: it gives all of them
 * back, claims again, and delivers nothing.
 */
export interface ClaimSize {
  /** Resolves when the next claim may be made: in a slow process, when what the last one brought has begun. */
  ready(): Promise<void>;
  /** The most deliveries of the next claim. */
  most(): number;
  /** A claim has been answered, and its deliveries begin in this turn of the event loop. */
  answered(): void;
}

/** How long a process may take to begin what a claim brought. Four of these are less than the lease of a worker. */
const BEGUN_WITHIN_MS = 300;

/** `full`: the size while the process keeps up. */
export function createClaimSize(full: number): ClaimSize {
  let most = full;
  let begun = Promise.resolve();

  async function measure(): Promise<void> {
    const from = performance.now();
    // New connections are there in the next turn, and their requests leave in it.
    await nextTurn();
    await nextTurn();
    most = nextSize(most, performance.now() - from, full);
  }

  return {
    ready: () => (most < full ? begun : Promise.resolve()),
    most: () => most,
    answered() {
      begun = measure();
    },
  };
}

function nextSize(size: number, tookMs: number, full: number): number {
  if (tookMs > BEGUN_WITHIN_MS) return Math.max(1, Math.floor((size * BEGUN_WITHIN_MS) / tookMs));
  return tookMs < BEGUN_WITHIN_MS / 2 ? Math.min(full, size * 2) : size;
}
