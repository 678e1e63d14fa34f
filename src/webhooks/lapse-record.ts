export interface LapsedLine {
  readonly line: number;
  readonly epoch: number;
}

/** Which lines have no drain that they should have, and since when we have known. */
export interface LapseRecord {
  /** Takes what is so by now (`now`: ms, monotonic); those lines that are to be acted on. */
  confirm(lapsed: readonly LapsedLine[], now: number): LapsedLine[];
}

/** What was done about it may have got lost. */
const AGAIN_MS = 10_000;

/** `confirmMs`: how long it must have been so; what is on its way may take as long. */
export function createLapseRecord(confirmMs: number): LapseRecord {
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
        if (!entry || now - entry.foundAt < confirmMs || now - entry.actedAt < AGAIN_MS)
          return false;
        entry.actedAt = now;
        return true;
      });
    },
  };
}
