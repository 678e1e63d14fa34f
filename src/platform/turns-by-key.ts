/** Turns of each key, such as a user: so many at once, and the next ones wait in their order. */
export interface TurnsByKey<Key> {
  /**
   * Waits for a turn of the key; the returned function ends it, and may be called twice. Undefined: too many wait, none
   * ended in time, the signal said that it is not wanted any more, or the process stops.
   */
  enter(key: Key, unwanted: AbortSignal): Promise<(() => void) | undefined>;
  /** How many turns the key has, or waits for, that has and waits for the most. */
  most(): number;
  /** How many turns all keys have, or wait for. */
  all(): number;
}

interface TurnNumbers {
  readonly atOnce: number;
  readonly mostWaiting: number;
}

/** What each key may have. */
export interface TurnOptions extends TurnNumbers {
  readonly longestWaitMs: number;
  /** What all keys may have together; any number if not given. Of these, those who wait get the next one key by key. */
  readonly ofAll?: TurnNumbers;
}

interface TurnsOfKey {
  taken: number;
  /** Those who wait, in the order of their arrival; each is told whether it has a turn. */
  readonly queue: Set<(hasTurn: boolean) => void>;
}

const ANY_NUMBER: TurnNumbers = { atOnce: Infinity, mostWaiting: Infinity };

/** Once `stopping` has fired nobody waits: who has a turn may keep it, and who would have to wait gets none. */
export function createTurnsByKey<Key>(
  { atOnce, mostWaiting, longestWaitMs, ofAll = ANY_NUMBER }: TurnOptions,
  stopping: AbortSignal,
): TurnsByKey<Key> {
  const keys = new Map<Key, TurnsOfKey>();
  /** The keys for which somebody waits; the one that had a turn last is the last one. */
  const waitingKeys = new Map<Key, TurnsOfKey>();
  let taken = 0;
  let waiting = 0;
  stopping.addEventListener('abort', () => {
    for (const { queue } of waitingKeys.values()) for (const leave of queue) leave(false);
  });

  function waitIn(key: Key, turns: TurnsOfKey, unwanted: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (hasTurn: boolean) => {
        turns.queue.delete(leave);
        waiting -= 1;
        if (turns.queue.size === 0) waitingKeys.delete(key);
        forgetUnused(key, turns);
        clearTimeout(timer);
        unwanted.removeEventListener('abort', giveUp);
        resolve(hasTurn);
      };
      const giveUp = () => leave(false);
      const timer = setTimeout(giveUp, longestWaitMs);
      unwanted.addEventListener('abort', giveUp);
      turns.queue.add(leave);
      waiting += 1;
      waitingKeys.set(key, turns);
    });
  }

  function take(turns: TurnsOfKey): void {
    turns.taken += 1;
    taken += 1;
  }

  function end(key: Key, turns: TurnsOfKey): void {
    turns.taken -= 1;
    taken -= 1;
    passOn();
    forgetUnused(key, turns);
  }

  /** Gives the turn that has ended to the next key that may have one more. */
  function passOn(): void {
    for (const [key, turns] of waitingKeys) {
      if (turns.taken >= atOnce) continue;
      waitingKeys.delete(key);
      waitingKeys.set(key, turns);
      take(turns);
      const [next] = turns.queue;
      next?.(true);
      return;
    }
  }

  function forgetUnused(key: Key, { taken: own, queue }: TurnsOfKey): void {
    if (own === 0 && queue.size === 0) keys.delete(key);
  }

  return {
    async enter(key, unwanted) {
      // No event would follow.
      if (unwanted.aborted) return undefined;
      const turns = keys.get(key) ?? { taken: 0, queue: new Set() };
      const isFree = turns.taken < atOnce && taken < ofAll.atOnce;
      const hasRoom = turns.queue.size < mostWaiting && waiting < ofAll.mostWaiting;
      if (!isFree && (!hasRoom || stopping.aborted)) return undefined;
      keys.set(key, turns);
      if (isFree) take(turns);
      else if (!(await waitIn(key, turns, unwanted))) return undefined;
      let isOver = false;
      return () => {
        if (!isOver) end(key, turns);
        isOver = true;
      };
    },
    most: () => Math.max(0, ...[...keys.values()].map(({ taken: own, queue }) => own + queue.size)),
    all: () => taken + waiting,
  };
}
