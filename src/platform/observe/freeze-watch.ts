import { performance } from 'node:perf_hooks';

/** Knows whether this process was frozen: stopped by a signal or a hypervisor, or blocked by its own work. */
export interface FreezeWatch {
  /** Whether the process was frozen for longer than a moment since `since`, by `performance.now()`. */
  wasFrozen(since: number): boolean;
  stop(): void;
}

/**
 * A frozen process keeps its polls open, and gets their tasks when it wakes up. Temporal may have handed such a task to
 * another process as well, so a step asks `wasFrozen` since this long before its start, ms.
 */
export const HANDED_OUT_MS = 3_000;

const TICK_MS = 200;
/** Less than the 1.5 s of silence after which another worker takes over a step; a busy event loop is late by less. */
const FROZEN_MS = 1_200;

/** Uses a clock that continues while the process is stopped: a late tick reveals the freeze. */
export function watchFreezes(): FreezeWatch {
  let tickedAt = performance.now();
  let thawedAt = Number.NEGATIVE_INFINITY;
  const tick = (): void => {
    const now = performance.now();
    if (now - tickedAt > FROZEN_MS) thawedAt = now;
    tickedAt = now;
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return {
    wasFrozen(since) {
      // Arrived events are handled before timers, so the late tick may not have run yet.
      tick();
      return thawedAt > since;
    },
    stop: () => clearInterval(timer),
  };
}
