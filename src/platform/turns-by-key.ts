/** Turns of each key, such as a user: so many at once, and the next ones wait in their order. */
export interface TurnsByKey<Key> {
  /**
   * Waits for a turn of the key; the returned function ends it, and may be called twice. Undefined: too many of the key
   * wait, none ended in time, or the signal said that it is not wanted any more.
   */
  enter(key: Key, unwanted: AbortSignal): Promise<(() => void) | undefined>;
  /** How many turns the key has, or waits for, that has and waits for the most. */
  most(): number;
}

export interface TurnOptions {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly longestWaitMs: number;
}

interface TurnsOfKey {
  taken: number;
  /** Those who wait, in the order of their arrival. */
  readonly queue: Set<() => void>;
}

export function createTurnsByKey<Key>({
  atOnce,
  mostWaiting,
  longestWaitMs,
}: TurnOptions): TurnsByKey<Key> {
  const keys = new Map<Key, TurnsOfKey>();

  function waitIn({ queue }: TurnsOfKey, unwanted: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (hasTurn: boolean) => {
        queue.delete(begin);
        clearTimeout(timer);
        unwanted.removeEventListener('abort', giveUp);
        resolve(hasTurn);
      };
      const begin = () => leave(true);
      const giveUp = () => leave(false);
      const timer = setTimeout(giveUp, longestWaitMs);
      unwanted.addEventListener('abort', giveUp);
      queue.add(begin);
    });
  }

  /** Passes the turn to the next one of the key. */
  function pass(key: Key, turns: TurnsOfKey): void {
    const [next] = turns.queue;
    if (next) return next();
    turns.taken -= 1;
    if (turns.taken === 0) keys.delete(key);
  }

  return {
    async enter(key, unwanted) {
      // No event would follow.
      if (unwanted.aborted) return undefined;
      const turns = keys.get(key) ?? { taken: 0, queue: new Set() };
      keys.set(key, turns);
      if (turns.taken < atOnce) turns.taken += 1;
      else if (turns.queue.size >= mostWaiting || !(await waitIn(turns, unwanted)))
        return undefined;
      let isOver = false;
      return () => {
        if (!isOver) pass(key, turns);
        isOver = true;
      };
    },
    most: () => Math.max(0, ...[...keys.values()].map(({ taken, queue }) => taken + queue.size)),
  };
}
