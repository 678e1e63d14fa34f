import type { Bounds } from '../../platform/config/bounds';
import { MAX_LOSSES } from '../../delivery-apps/losses';
import { MAX_PAYLOAD_BYTES, type PreparedMenu } from '../../delivery-apps/prepare-menu';

/** Where it is told how near menus come to their bounds. */
export interface MenuBounds {
  /** A menu was prepared, or could not be in time (undefined). */
  met(prepared: PreparedMenu | undefined): void;
  /** All threads were at work for too long. */
  busy(): void;
}

/** `waiting` is how many menus wait for a thread, of `maxWaiting`. */
export function declareMenuBounds(
  bounds: Bounds,
  maxWaiting: number,
  waiting: () => number,
): MenuBounds {
  const threads = bounds.declare('waiting_menus', { limit: maxWaiting, used: waiting });
  const payload = bounds.declare('payload_bytes', { limit: MAX_PAYLOAD_BYTES });
  const losses = bounds.declare('losses', { limit: MAX_LOSSES });
  return {
    busy: () => threads.hit(),
    met(prepared) {
      if (!prepared) return threads.hit();
      payload.meet(prepared.payload.length);
      if (prepared.isTooLarge) payload.hit();
      const { block, warn, info } = prepared.lossCounts;
      losses.meet(block + warn + info);
      if (block + warn + info > MAX_LOSSES) losses.hit();
    },
  };
}

/** Of every pool of threads that works on menus: what one needs, and how late the last that waits may be. */
export const MENU_THREADS = {
  /** A menu of 10 MB of the smallest values is 200 MB of heap, and its payload 100 MB more. */
  memoryMb: 512,
  idleMs: 30_000,
  /** With the deadline these stay below the 60 s that the activity has (`startToCloseTimeout` of local activities). */
  longestWaitMs: 20_000,
  /** Those that wait hold no menu, or have room for it among the bodies of requests: this bounds no memory. */
  maxWaiting: 200,
} as const;
