/** Whether a line can go to another worker now. */
export type Offerable =
  | 'yes'
  /** A receiver is slow, or a hand-over was tried recently. */
  | 'no'
  /** It is being handed over. */
  | 'held';

/**
 * Hands a line with traffic over to another worker. The line is offered, and held: it claims nothing more. As soon as
 * nothing is in flight it is let go. If that takes too long, it continues here.
 */
export interface LineHandover {
  /** Whether the line can be offered now. */
  offerable(): Offerable;
  /** Begins to hold the line. */
  offer(): void;
  /** While true, nothing may be claimed. */
  isClaimingStopped(): boolean;
  /** Whether the line was offered, and neither let go nor kept yet. */
  isUndecided(): boolean;
  /** Decides as soon as possible. True = the line ends here; a line that was held for too long continues here. */
  decide(): boolean;
  /** It was let go for another worker. */
  isLetGo(): boolean;
}

/** What a hand-over must know of its line. */
export interface OfferedLine {
  /** Nothing is in flight, and everything is recorded. */
  isQuiet(): boolean;
  /** How long the oldest request in flight has taken so far, ms; 0 without one. */
  oldestMs(): number;
  /** Lets the line claim again. */
  goOn(): void;
}

/** How long a line that is offered to another worker waits for its requests in flight. */
const HOLD_MS = 1_000;
/**
 * A line is not offered while a receiver takes longer than this: it would not finish in time, and would delay all its
 * subscriptions.
 */
const QUICK_MS = 500;
/** A line that could not be handed over is not tried again for this long. */
const OFFER_AGAIN_MS = 10_000;

export function createLineHandover(line: OfferedLine): LineHandover {
  let offeredAt = Number.NEGATIVE_INFINITY;
  /** Null: it is not offered. */
  let heldUntil: number | null = null;
  let isLetGo = false;

  return {
    offerable() {
      if (heldUntil !== null) return 'held';
      const isDue = performance.now() - offeredAt > OFFER_AGAIN_MS;
      return isDue && line.oldestMs() < QUICK_MS ? 'yes' : 'no';
    },
    offer() {
      offeredAt = performance.now();
      heldUntil = offeredAt + HOLD_MS;
    },
    isClaimingStopped: () => heldUntil !== null && performance.now() < heldUntil,
    isUndecided: () => heldUntil !== null,
    decide() {
      if (heldUntil === null) return false;
      if (line.isQuiet()) return (isLetGo = true);
      if (performance.now() < heldUntil) return false;
      heldUntil = null;
      line.goOn();
      return false;
    },
    isLetGo: () => isLetGo,
  };
}
