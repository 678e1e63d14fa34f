import { createBag } from '../../platform/short-lived';

/** A body that is arriving. */
export interface Arrival {
  /** How many bytes of it have arrived. */
  readonly bytes: () => number;
  /** Whether its memory is scarce, and its sender holds much of it. */
  readonly isPressed: () => boolean;
  /** Called once. */
  readonly onTooSlow: () => void;
}

/** Watches over the bodies that are arriving in a process. */
export interface ArrivalWatch {
  /** Watches over one until the returned function is called. */
  watch(arrival: Arrival): () => void;
}

/** For tests, which use shorter times. */
export interface LeastSpeed {
  /** In any window of so many ms … */
  readonly windowMs: number;
  /** … so many bytes arrive at least. */
  readonly bytes: number;
}

/** 16 KB a second. */
const LEAST_SPEED: LeastSpeed = { windowMs: 5_000, bytes: 5 * 16 * 1_024 };
const LOOKS_IN_WINDOW = 5;

/**
 * Ends bodies that arrive more slowly than this, but only while memory is scarce and their sender holds much of it: 32
 * connections that sent 4 MB each and then fell silent held all of it for a minute. A slow line costs nobody anything
 * while there is enough, or if it is one of few. One timer looks at all of them, and there is none while no body
 * arrives.
 */
export function createArrivalWatch({ windowMs, bytes: least } = LEAST_SPEED): ArrivalWatch {
  const everyMs = windowMs / LOOKS_IN_WINDOW;
  const arriving = createBag<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let lastLookAt = 0;

  function look(): void {
    const now = performance.now();
    // While this process stood still nothing could arrive here.
    const isLate = now - lastLookAt > 2 * everyMs;
    lastLookAt = now;
    let count = 0;
    for (const watched of arriving) {
      count += 1;
      const { arrival, seen } = watched;
      if (isLate || !arrival.isPressed()) seen.length = 0;
      const bytes = arrival.bytes();
      seen.push(bytes);
      if (seen.length <= LOOKS_IN_WINDOW) continue;
      const before = seen.shift() ?? 0;
      if (bytes - before >= least) continue;
      arriving.delete(watched);
      arrival.onTooSlow();
    }
    if (count > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(arrival) {
      const watched: Watched = { arrival, seen: [] };
      arriving.add(watched);
      if (!timer) {
        lastLookAt = performance.now();
        timer = setInterval(look, everyMs).unref();
      }
      return () => arriving.delete(watched);
    },
  };
}

interface Watched {
  readonly arrival: Arrival;
  /** What had arrived at the looks of its window, the oldest first. */
  readonly seen: number[];
}
