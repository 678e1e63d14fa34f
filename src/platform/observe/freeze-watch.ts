import { performance } from 'node:perf_hooks';

/** Knows whether this process has stood still: stopped by a signal, a hypervisor, or by work that blocked it. */
export interface FreezeWatch {
  /** Whether it has stood still for longer than a moment since `since`, by `performance.now()`. */
  hasStoodStill(since: number): boolean;
  stop(): void;
}

const TICK_MS = 200;
/** Less than the shortest silence after which a step is given to another worker, 1.5 s; a busy event loop is late by less. */
const FROZEN_MS = 1_200;

/** Watches by a clock that goes on while a process is stopped: a tick that comes late tells of it. */
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
    hasStoodStill(since) {
      // What arrived meanwhile is handled before the timers, so the tick may still be to come.
      tick();
      return thawedAt > since;
    },
    stop: () => clearInterval(timer),
  };
}
