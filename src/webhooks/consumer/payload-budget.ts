import type { Bounds } from '../../platform/admission/bound-metrics';

/** A budget for the bytes of payloads that one process holds in memory at once. */
export interface PayloadBudget {
  /** Takes memory for a payload; false while there is too little. A payload larger than the whole budget fits alone. */
  take(bytes: number): boolean;
  /** Returns the memory of a payload. */
  give(bytes: number): void;
  /** Whether `take` would succeed now. */
  allows(bytes: number): boolean;
  /** Deliveries should be claimed one by one: of a larger claim most would be released. */
  isTight(): boolean;
  /** Calls `wake` once, the next time that memory is returned. */
  onFree(wake: () => void): void;
}

/**
 * Smaller payloads come with the claim. They use the share that large ones leave free, so large ones cannot hold them
 * up.
 */
export const LARGE_PAYLOAD_BYTES = 65_536;
const LARGE_SHARE = 3 / 4;

/** `limit` in bytes. Without `bounds` its use is not reported. */
export function createPayloadBudget(limit: number, bounds: Bounds | undefined): PayloadBudget {
  let [used, usedByLarge] = [0, 0];
  const waiting = new Set<() => void>();
  const bound = bounds?.declare('webhook_memory', { limit, used: () => used });

  function allows(bytes: number): boolean {
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
    allows,
    take(bytes) {
      const fits = allows(bytes);
      if (fits) change(bytes);
      else bound?.hit();
      return fits;
    },
    give(bytes) {
      change(-bytes);
      if (waiting.size === 0) return;
      const woken = [...waiting];
      waiting.clear();
      for (const wake of woken) wake();
    },
    isTight: () => used > limit / 2,
    onFree: (wake) => void waiting.add(wake),
  };
}
