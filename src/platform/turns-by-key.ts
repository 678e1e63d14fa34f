/** Turns of each key, such as a user: so many at once, and the next ones wait in their order. */
export interface TurnsByKey<Key> {
  /**
   * Waits for a turn of the key; the returned function ends it, and may be called twice. Undefined: too many of the key
   * wait, or none ended in time.
   */
  enter(key: Key): Promise<(() => void) | undefined>;
  /** How many turns the key has, or waits for, that has and waits for the most. */
  most(): number;
}

export interface TurnOptions {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly longestWaitMs: number;
}

interface Line {
  taken: number;
  /** In the order of their arrival. */
  readonly waiting: Set<() => void>;
}

export function createTurnsByKey<Key>({
  atOnce,
  mostWaiting,
  longestWaitMs,
}: TurnOptions): TurnsByKey<Key> {
  const lines = new Map<Key, Line>();

  function waitIn({ waiting }: Line): Promise<boolean> {
    return new Promise((resolve) => {
      const begin = () => {
        waiting.delete(begin);
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        resolve(false);
      }, longestWaitMs);
      waiting.add(begin);
    });
  }

  /** Passes the turn to the next one of the key. */
  function pass(key: Key, line: Line): void {
    const [next] = line.waiting;
    if (next) return next();
    line.taken -= 1;
    if (line.taken === 0) lines.delete(key);
  }

  return {
    async enter(key) {
      const line = lines.get(key) ?? { taken: 0, waiting: new Set() };
      lines.set(key, line);
      if (line.taken < atOnce) line.taken += 1;
      else if (line.waiting.size >= mostWaiting || !(await waitIn(line))) return undefined;
      let isOver = false;
      return () => {
        if (!isOver) pass(key, line);
        isOver = true;
      };
    },
    most: () => Math.max(0, ...[...lines.values()].map((line) => line.taken + line.waiting.size)),
  };
}
