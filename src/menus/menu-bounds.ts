import type { Bounds } from '../bounds';
import { MAX_LOSSES } from '../delivery-apps/losses';
import { MAX_PAYLOAD_BYTES, type PreparedMenu } from '../delivery-apps/prepare-menu';

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
