import type { BoundName, Bounds } from '../../platform/config/bounds';
import type { UserId } from '../../platform/ids';

/** Gives room for bytes that one process holds at once. */
export interface BodyRooms {
  /**
   * Takes room for a body of this size; null while there is too little. A body of unknown size requests 0 and grows:
   * it is refused only when all of the room is used.
   */
  reserve(bytes: number): BodyReservation | null;
}

/** A budget for the bytes of request bodies, and of answers of stored texts, that one process holds at once. */
export interface BodyBudget extends BodyRooms, SharedRooms {}

/** What handlers use of a budget: their work may take long, so they take room from the share of their caller only. */
export interface SharedRooms {
  /** The room that one user may take for slow requests: half, so that no user keeps the others from theirs. */
  shareOf(userId: UserId): BodyRooms;
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

/** A share of a small budget is larger than half of it: the largest two menus to compare, and the answer. */
const LEAST_SHARE = 32 * 1_048_576;

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
  const share = Math.min(limit, Math.max(limit / 2, LEAST_SHARE));
  const usedByUser = new Map<UserId, number>();
  const bound = bounds.declare(name, { limit, used: () => used });

  /** How much more fits; `userId` is that of a share. */
  function roomFor(userId: UserId | undefined): number {
    const left = limit - used;
    return userId === undefined ? left : Math.min(left, share - (usedByUser.get(userId) ?? 0));
  }

  function count(bytes: number, userId: UserId | undefined): void {
    used += bytes;
    if (userId === undefined) return;
    const total = (usedByUser.get(userId) ?? 0) + bytes;
    if (total > 0) usedByUser.set(userId, total);
    else usedByUser.delete(userId);
  }

  function reserve(bytes: number, userId?: UserId): BodyReservation | null {
    const room = roomFor(userId);
    if (room <= 0 || bytes > room) {
      bound.hit();
      return null;
    }
    let own = bytes;
    let open = true;
    count(own, userId);
    return {
      resize(wanted) {
        if (!open) return false;
        if (wanted > own && wanted - own > roomFor(userId)) {
          bound.hit();
          return false;
        }
        count(wanted - own, userId);
        own = wanted;
        return true;
      },
      release() {
        if (open) count(-own, userId);
        open = false;
      },
    };
  }

  return {
    reserve: (bytes) => reserve(bytes),
    shareOf: (userId) => ({ reserve: (bytes) => reserve(bytes, userId) }),
  };
}
