import { createPlaces, type Leave } from './places';
import type { Fill, ShareLimits } from './shares';

/** How many have a turn, and how many wait for how long. */
export interface TurnLimits {
  readonly atOnce: ShareLimits;
  readonly waiting?: ShareLimits;
  /** The longest wait for a turn, ms; 0 = no limit, as if none were given. */
  readonly longestWaitMs?: number;
}

/** What else ends the wait for one turn. */
export interface TurnWait {
  /** Instead of that of all. */
  readonly longestWaitMs?: number;
  /** Once it fires, nobody waits for the turn any more. */
  readonly unwanted?: AbortSignal;
}

/**
 * Places that may be waited for. One that is given back goes to the key whose turn it is: of those for which somebody
 * waits and which may have one more, the one that came, or had its last turn, before the others. Who comes stands before
 * the key that had the latest turn: however many of one key wait, another waits for what is at work, and for none that
 * has not begun. Those of one key are served in the order of their arrival.
 */
export interface Turns<Key = void> {
  /**
   * Takes a free place, or waits for a turn; the returned function ends it. Undefined: too many wait, no turn came in
   * time, or it is unwanted. Rejects with the error of `refuse`, and with no other.
   */
  enter(key: Key, wait?: TurnWait): Promise<Leave | undefined>;
  /** Those who wait now get no turn: their `enter` rejects with the error, or gives undefined if there is none. */
  refuse(error?: unknown): void;
  readonly atOnce: Fill;
  readonly waiting: Fill;
}

interface Waiting {
  /** Ends the wait, with a turn or without. */
  end(turn?: Leave): void;
  fail(error: unknown): void;
}

const NOBODY = Symbol('nobody');

export function createTurns<Key = void>(limits: TurnLimits): Turns<Key> {
  const places = createPlaces<Key>(limits.atOnce);
  const room = createPlaces<Key>(limits.waiting ?? {});
  /** Those who wait for a turn of each key; the key that had one last is the last one. */
  const queues = new Map<Key, Set<Waiting>>();
  const mostAtOnce = limits.atOnce.ofAll ?? Infinity;
  let hadLatest: Key | typeof NOBODY = NOBODY;

  function begin(key: Key): void {
    hadLatest = key;
    moveToEnd(key);
  }

  function moveToEnd(key: Key): void {
    const queue = queues.get(key);
    if (!queue) return;
    queues.delete(key);
    queues.set(key, queue);
  }

  /** The place of someone, which goes to the next one afterwards. */
  function turnIn(leave: Leave): Leave {
    return () => {
      leave();
      // One may make room for two: for the next one of all, and for one of a key that has become a small one.
      while (serveOne());
    };
  }

  /** False: nobody waits, or nobody who waits may have one more. */
  function serveOne(): boolean {
    for (const [key, queue] of queues) {
      if (mostAtOnce !== Infinity && places.used() >= mostAtOnce) return false;
      const leave = places.enter(key);
      if (!leave) continue;
      begin(key);
      const [next] = queue;
      next?.end(turnIn(leave));
      return true;
    }
    return false;
  }

  function wait(
    key: Key,
    leaveRoom: Leave,
    { longestWaitMs = limits.longestWaitMs ?? 0, unwanted }: TurnWait,
  ): Promise<Leave | undefined> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? new Set();
      const leaveQueue = () => {
        queue.delete(waiting);
        if (queue.size === 0) queues.delete(key);
        leaveRoom();
        clearTimeout(timer);
        unwanted?.removeEventListener('abort', giveUp);
      };
      const waiting: Waiting = {
        end(turn) {
          leaveQueue();
          resolve(turn);
        },
        fail(error) {
          leaveQueue();
          reject(error);
        },
      };
      const giveUp = () => waiting.end();
      const timer = longestWaitMs > 0 ? setTimeout(giveUp, longestWaitMs) : undefined;
      unwanted?.addEventListener('abort', giveUp);
      const isNew = queue.size === 0;
      queues.set(key, queue.add(waiting));
      if (isNew && hadLatest !== NOBODY) moveToEnd(hadLatest);
    });
  }

  return {
    atOnce: places,
    waiting: room,
    async enter(key, how = {}) {
      const leave = places.enter(key);
      if (leave) {
        begin(key);
        return turnIn(leave);
      }
      // No event would follow.
      if (how.unwanted?.aborted) return undefined;
      const leaveRoom = room.enter(key);
      return leaveRoom && wait(key, leaveRoom, how);
    },
    refuse(error) {
      for (const queue of queues.values()) {
        for (const waiting of queue) {
          if (error === undefined) waiting.end();
          else waiting.fail(error);
        }
      }
    },
  };
}
