import type { Bounds } from '../platform/config/bounds';

/** The bytes of request bodies that one process holds at once. */
export interface BodyBudget {
  /**
   * Room for a body of so many bytes; null while there is not so much left. A body whose size is not known yet asks for
   * 0 and grows: it is refused only when the budget is all used.
   */
  reserve(bytes: number): BodyReservation | null;
}

/** The room of one body, until its row is written. */
export interface BodyReservation {
  /** Makes it so many bytes; false, and as it was, while there is not so much left. Making it smaller always works. */
  resize(bytes: number): boolean;
  /** Gives everything back; again and again changes nothing. */
  release(): void;
}

/**
 * Counts bytes and not requests: a thousand small bodies are harmless, thirty large ones are not. What is parsed from
 * them is not counted, as it is bounded by the number of values in a body.
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
