import type { BoundName, Bounds } from '../../platform/config/bounds';

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
 * The bytes of all bodies that are read before their sender is known, because the sender is known by them: signed
 * callbacks, of 1 MB at most, and sign-ins. Apart from `BODY_MEMORY`, so that strangers take no room of callers.
 */
export const UNKNOWN_SENDERS_MEMORY = 16 * 1_048_576;

/**
 * Counts bytes rather than requests: a thousand small bodies are harmless, thirty large ones are not. Parsed values
 * are not counted, because the number of values in a body is limited.
 */
export function createBodyBudget(
  limit: number,
  bounds: Bounds,
  name: BoundName = 'body_memory',
): BodyBudget {
  let used = 0;
  const bound = bounds.declare(name, { limit, used: () => used });
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
          if (!open) return false;
          if (wanted - own > limit - used) {
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
