/**
 * Hands a shard over to another worker; whether, `offerExcess` of `worker-lease.ts` says. It is offered, and claims nothing more; as soon as nothing is in
 * flight it is let go. If that takes too long, it goes on here.
 */
export interface Handover {
  /** Begins to hold the shard; false if that is not the moment: a receiver is slow, or it was tried recently. */
  offer(): boolean;
  isOffered(): boolean;
  /** While true, nothing may be claimed. */
  readonly isClaimingStopped: () => boolean;
  /** True: the shard ends here. One that was held for too long goes on. */
  decide(): boolean;
  /** How long until `decide` is due, ms. */
  checkMs(): number;
}

/** What a hand-over must know of its shard. */
export interface OfferedShard {
  /** Nothing is in flight, and everything is recorded. */
  isIdle(): boolean;
  /** How long the oldest request in flight has taken so far, ms; 0 without one. */
  oldestMs(): number;
  /** Lets the shard claim again. */
  goOn(): void;
}

/** How long a shard that is offered waits for its requests in flight. */
const HOLD_MS = 1_000;
/** A shard is not offered while a receiver takes longer than this: it would delay all its subscriptions in vain. */
const QUICK_MS = 500;
/** A shard that could not be handed over is not tried again for this long. */
const OFFER_AGAIN_MS = 10_000;
const CHECK_MS = 20;
const LONG_MS = 60_000;

export function createHandover(shard: OfferedShard): Handover {
  let offeredAt = Number.NEGATIVE_INFINITY;
  let heldUntil: number | null = null;

  return {
    offer() {
      const now = performance.now();
      if (now - offeredAt < OFFER_AGAIN_MS || shard.oldestMs() >= QUICK_MS) return false;
      offeredAt = now;
      heldUntil = now + HOLD_MS;
      return true;
    },
    isOffered: () => heldUntil !== null,
    isClaimingStopped: () => heldUntil !== null && performance.now() < heldUntil,
    decide() {
      if (heldUntil === null) return false;
      if (shard.isIdle()) return true;
      if (performance.now() < heldUntil) return false;
      heldUntil = null;
      shard.goOn();
      return false;
    },
    checkMs: () => (heldUntil === null ? LONG_MS : CHECK_MS),
  };
}
