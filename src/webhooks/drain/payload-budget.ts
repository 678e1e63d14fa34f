import type { Bounds } from '../../platform/config/bounds';

/** The bytes of payloads that the deliveries of one process hold in memory at once. */
export interface PayloadBudget {
  /** Takes room for a payload; false while there is not so much left. One that is larger than all of it fits alone. */
  take(bytes: number): boolean;
  /** Gives the room of a payload back. */
  give(bytes: number): void;
  /** Whether `take` would succeed now. */
  hasRoom(bytes: number): boolean;
  /** Deliveries are to be claimed one by one: many at once would mostly be given back. */
  isTight(): boolean;
  /** Calls `wake` once, when the next room is given back. */
  onFree(wake: () => void): void;
}

/** Smaller ones come with the claim; they get the share that large ones leave, so that those do not hold them up. */
export const LARGE_PAYLOAD_BYTES = 65_536;
const LARGE_SHARE = 3 / 4;

/** `limit` in bytes. Without `bounds` nobody is told how full it is. */
export function createPayloadBudget(limit: number, bounds: Bounds | undefined): PayloadBudget {
  let [used, usedByLarge] = [0, 0];
  const waiting = new Set<() => void>();
  const bound = bounds?.declare('webhook_memory', { limit, used: () => used });

  function hasRoom(bytes: number): boolean {
    if (bytes <= LARGE_PAYLOAD_BYTES) return used + bytes <= limit || used === 0;
    return usedByLarge === 0
      ? used + bytes <= limit || used === 0
      : usedByLarge + bytes <= LARGE_SHARE * limit && used + bytes <= limit;
  }

  function change(bytes: number): void {
    used += bytes;
    if (Math.abs(bytes) > LARGE_PAYLOAD_BYTES) usedByLarge += bytes;
  }

  return {
    hasRoom,
    take(bytes) {
      const fits = hasRoom(bytes);
      if (fits) change(bytes);
      else bound?.hit();
      return fits;
    },
    give(bytes) {
      change(-bytes);
      const woken = [...waiting];
      waiting.clear();
      for (const wake of woken) wake();
    },
    isTight: () => used > limit / 2,
    onFree: (wake) => void waiting.add(wake),
  };
}
