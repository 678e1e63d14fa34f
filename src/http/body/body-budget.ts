import type { Bounds } from '../../platform/config/bounds';

/** A budget for the bytes of request bodies that one process holds at once. */
export interface BodyBudget {
  /**
   * Takes room for a body of this size; null while there is too little. A body of unknown size requests 0 and grows:
   * it is refused only when the whole budget is used.
   */
  reserve(bytes: number): BodyReservation | null;
}

/** The room of one body, until its row is written. */
export interface BodyReservation {
  /** Changes the room to this size; false, and unchanged, if there is too little. Making it smaller always works. */
  resize(bytes: number): boolean;
  /** Returns all of it; may be called repeatedly. */
  release(): void;
}

/**
 * Counts bytes rather than requests: a thousand small bodies are harmless, thirty large ones are not. Parsed values
 * are not counted, because the number of values in a body is limited.
 */
export function createBodyBudget(limit: number, bounds: Bounds): BodyBudget {
  let used = 0;
  const bound = bounds.declare('body_memory', { limit, used: () => used });
  return {
    reserve(bytes) {
      if (used >= limit || bytes > limit - used) {
        bound.hit();
        return null;
      }
      let own = bytes;
      let open = true;
      used += own;
      return {
        resize(wanted) {
          if (!open || wanted - own > limit - used) {
            bound.hit();
            return false;
          }
          used += wanted - own;
          own = wanted;
          return true;
        },
        release() {
          if (open) used -= own;
          open = false;
        },
      };
    },
  };
}
