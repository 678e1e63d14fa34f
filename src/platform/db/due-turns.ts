/**
 * Statements that many share, a few at a time. Each party has one turn at once; whoever has work while statements are
 * under way waits for the next one, first come, first served. So under load the batches grow by themselves, the next
 * begins as the last ends, and nothing is delayed to wait for company.
 */
export interface DueTurns<Party> {
  /** `party` has something for the next statement. Asking twice is asking once. */
  request(party: Party): void;
}

export interface DueTurnsOptions<Party> {
  /** Statements at the same time. */
  readonly lanes: number;
  /** Parties in one statement, at most. */
  readonly maxParties: number;
  /** Does the turn of these parties and never rejects. A party that has more to do asks again. */
  run(parties: readonly Party[]): Promise<void>;
}

export function createDueTurns<Party>(options: DueTurnsOptions<Party>): DueTurns<Party> {
  const waiting = new Set<Party>(); // keeps the order of asking
  const busy = new Set<Party>();
  let free = options.lanes;
  let scheduled = false;

  function start(): void {
    scheduled = false;
    while (free > 0) {
      const parties = takeNext();
      if (parties.length === 0) return;
      free -= 1;
      for (const party of parties) busy.add(party);
      const onEnd = () => {
        free += 1;
        for (const party of parties) busy.delete(party);
        schedule();
      };
      options.run(parties).then(onEnd, onEnd);
    }
  }

  /** A party whose turn is under way stays in line: two statements of one drain could overtake each other. */
  function takeNext(): Party[] {
    const parties: Party[] = [];
    for (const party of waiting) {
      if (busy.has(party)) continue;
      parties.push(party);
      if (parties.length === options.maxParties) break;
    }
    for (const party of parties) waiting.delete(party);
    return parties;
  }

  /** At the end of this round of the event loop: what arrived together goes together. */
  function schedule(): void {
    if (scheduled || waiting.size === 0) return;
    scheduled = true;
    setImmediate(start);
  }

  return {
    request(party) {
      waiting.add(party);
      if (free > 0) schedule();
    },
  };
}
