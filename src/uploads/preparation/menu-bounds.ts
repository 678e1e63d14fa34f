import { BOUNDS } from '../../platform/admission/bounds';
import type { Bounds } from '../../platform/admission/bound-metrics';
import { MAX_LOSSES } from '../../delivery-apps/losses';
import type { PreparedMenu } from '../../delivery-apps/prepare-menu';

/** Reports how close menus come to their limits. */
export interface MenuBounds {
  /** A menu was prepared; undefined: not in time. */
  met(key: string, prepared: PreparedMenu | undefined): void;
  /** All threads were busy for too long. */
  busy(key: string): void;
}

/** `waiting` is how many menus wait for a thread. */
export function declareMenuBounds(bounds: Bounds, waiting: () => number): MenuBounds {
  const threads = bounds.declare('waiting_menus', { used: waiting });
  const payload = bounds.declare('payload_bytes');
  const losses = bounds.declare('losses');
  return {
    busy: (key) => threads.hit(key),
    met(key, prepared) {
      if (!prepared) return threads.hit(key);
      payload.meet(prepared.payload.length);
      if (prepared.isTooLarge) payload.hit(key);
      const { block, warn, info } = prepared.lossCounts;
      losses.meet(block + warn + info);
      if (block + warn + info > MAX_LOSSES) losses.hit(key);
    },
  };
}

/** Settings of every thread pool that works on menus: memory per thread, and the longest wait. */
export const MENU_THREADS = {
  /** A menu of 10 MB with the smallest possible values takes 200 MB of heap, and its payload 100 MB more. */
  memoryMb: 512,
  /** The result of a preview of a common menu in one app fits into half of it. */
  youngMb: 48,
  idleMs: 30_000,
  /**
   * Together with the deadline this stays below the 60 s of the activity (`startToCloseTimeout` of local activities).
   */
  longestWaitMs: 20_000,
  /**
   * Waiting tasks hold no menu, or one that a push has anyway, or they are counted among the bodies of requests, so
   * this does not limit memory.
   */
  maxWaiting: BOUNDS.waiting_menus.limit,
} as const;
