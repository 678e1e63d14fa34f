interface Lapse {
  readonly line: number;
  readonly epoch: number;
}

/** Which promises have run out, and since when we have known. */
export interface LapseRecord {
  /** Takes what has run out by now (`now`: ms, monotonic); those of them that are to be acted on. */
  confirm(lapsed: readonly Lapse[], now: number): Lapse[];
}

/**
 * Found twice with a renewal's time between: after a Postgres that was away all promises have run out, and those who
 * live renew theirs at once.
 */
const CONFIRM_MS = 400;
/** What was done about it may have got lost. */
const AGAIN_MS = 10_000;

export function createLapseRecord(): LapseRecord {
  let known = new Map<number, { readonly foundAt: number; actedAt: number }>();
  return {
    confirm(lapsed, now) {
      known = new Map(
        lapsed.map(({ epoch }) => [
          epoch,
          known.get(epoch) ?? { foundAt: now, actedAt: Number.NEGATIVE_INFINITY },
        ]),
      );
      return lapsed.filter(({ epoch }) => {
        const entry = known.get(epoch);
        if (!entry || now - entry.foundAt < CONFIRM_MS || now - entry.actedAt < AGAIN_MS)
          return false;
        entry.actedAt = now;
        return true;
      });
    },
  };
}
